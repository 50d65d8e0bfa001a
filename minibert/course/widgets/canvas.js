// A chart with one draggable point for each label, drawn as bars or as a curve. The mouse or a finger can draw across
// several points in one stroke. With the keyboard, Tab moves from point to point, and the arrow keys move a point.

const WIDTH = 640, PLOT = 190, RIGHT = 12, TOP = 14;
const BELOW = 24;                       // distance from the axis to its labels, which leaves room for the handles
const LETTER = 6.4, LINE = 14;         // largest width and height of a letter, for labels with several lines
const SVG = 'http://www.w3.org/2000/svg';
const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 };

function add(parent, name, attributes, text = '') {
  const made = parent.appendChild(document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

// Split a label into lines that are at most `width` wide, if its words are not too long.
function lines(label, width) {
  const made = [''];
  for (const word of label.split(' ')) {
    const longer = `${made.at(-1)} ${word}`.trim();
    if (made.at(-1) && longer.length * LETTER > width) made.push(word);
    else made[made.length - 1] = longer;
  }
  return made;
}

function render({ model, el }) {
  const labels = model.get('labels'), top = model.get('top'), unit = model.get('unit'), curve = model.get('curve');
  const [along, axis] = model.get('axes');
  const written = value => {
    const kept = unit === '%' && value >= 1 ? Math.round(value) : Number(value.toPrecision(3));
    return `${kept.toLocaleString('en-US')}${unit}`;
  };
  const rules = [0, 0.25, 0.5, 0.75, 1].map(share => share * top);
  const LEFT = 30 + LETTER * Math.max(...rules.map(value => written(value).length));
  const width = (WIDTH - LEFT - RIGHT) / labels.length;
  // Bars are evenly spaced. The points of a curve are at their own positions.
  const centres = labels.map((_, place) => LEFT + (curve
    ? width / 2 + (WIDTH - LEFT - RIGHT - width) * model.get('places')[place] : width * (place + 0.5)));
  const rooms = centres.map((centre, place) => Math.min(width, ...[place - 1, place + 1]
    .filter(other => other in centres).map(other => Math.abs(centres[other] - centre))));
  const x = place => centres[place];
  const y = value => TOP + PLOT * (1 - value / top);
  const names = labels.map((label, place) => lines(label, rooms[place] - 4));
  const HEIGHT = TOP + PLOT + BELOW + LINE * Math.max(...names.map(name => name.length)) + (along ? 22 : 0);

  el.classList.add('mb');
  const svg = add(el, 'svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'group', class: 'mb-canvas',
    'aria-label': `${axis}: drag each of the ${labels.length} points, or move it with the arrow keys` });
  for (const value of rules) {
    add(svg, 'line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: 'mb-rule' });
    add(svg, 'text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, written(value));
  }
  add(svg, 'text', { x: 12, y: TOP + PLOT / 2, 'text-anchor': 'middle',
    transform: `rotate(-90 12 ${TOP + PLOT / 2})` }, axis);
  add(svg, 'text', { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, 'text-anchor': 'middle' }, along);
  const line = add(svg, 'path', { class: 'mb-drawn' });
  const points = labels.map((label, place) => {
    names[place].forEach((text, line) => add(svg, 'text',
      { x: x(place), y: TOP + PLOT + BELOW + LINE * line, 'text-anchor': 'middle' }, text));
    const bar = curve ? null : add(svg, 'rect', { x: x(place) - width * 0.3, width: width * 0.6, class: 'mb-drawn-bar' });
    const handle = add(svg, 'circle', { cx: x(place), r: 8, tabindex: 0, role: 'slider', class: 'mb-handle',
      'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': top });
    const number = add(svg, 'text', { x: x(place), 'text-anchor': 'middle' });
    handle.addEventListener('keydown', event => {
      const value = model.get('values')[place];
      const moved = event.key in STEPS ? value + STEPS[event.key] * top / 100
        : event.key === 'Home' ? 0 : event.key === 'End' ? top : null;
      if (moved === null) return;
      event.preventDefault();
      event.stopPropagation();              // JupyterLab has its own shortcuts for these keys
      set([place], moved);
    });
    return { bar, handle, number };
  });

  function set(places, value) {
    const values = [...model.get('values')];
    for (const place of places) values[place] = Math.min(top, Math.max(0, value));
    model.set('values', values);
    model.save_changes();
  }

  function draw() {
    const values = model.get('values');
    line.setAttribute('d', curve ? values.map((value, place) => `${place ? 'L' : 'M'}${x(place)} ${y(value)}`).join(' ') : '');
    points.forEach(({ bar, handle, number }, place) => {
      const height = y(values[place]);
      bar?.setAttribute('y', height);
      bar?.setAttribute('height', y(0) - height);
      handle.setAttribute('cy', height);
      handle.setAttribute('aria-valuenow', values[place]);
      handle.setAttribute('aria-valuetext', written(values[place]));
      number.setAttribute('y', height < TOP + 24 ? height + 24 : height - 13);
      number.textContent = written(values[place]);
    });
  }

  // Handle one event of a stroke: all points that the pointer has passed since the last event get its height.
  let last = null;
  function stroke(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const far = centres.map(centre => Math.abs(centre - at.x)), place = far.indexOf(Math.min(...far));
    const from = last ?? place, step = Math.sign(place - from);
    const passed = [place];
    for (let other = from + step; step && other !== place; other += step) passed.push(other);
    set(passed, top * (1 - (at.y - TOP) / PLOT));
    last = place;
  }
  svg.addEventListener('pointerdown', event => {
    svg.setPointerCapture(event.pointerId);
    last = null;
    stroke(event);
  });
  svg.addEventListener('pointermove', event => {
    if (svg.hasPointerCapture(event.pointerId)) stroke(event);
  });
  model.on('change:values', draw);
  draw();
}

export default { render };
