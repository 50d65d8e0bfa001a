// Points in panels, a shape for each group. Pointing at one shows its sentence in the line below; Tab reaches a panel, arrow
// keys go from point to point, from left to right.

const SVG = 'http://www.w3.org/2000/svg', SIZE = 220, EDGE = 10, R = 5;
const ROLES = ['--mb-query', '--mb-key', '--mb-value', '--mb-context'], SIGNS = ['●', '▲', '■', '◆'];
const SHAPES = [
  (x, y) => `M ${x - R} ${y} a ${R} ${R} 0 1 0 ${2 * R} 0 a ${R} ${R} 0 1 0 ${-2 * R} 0 Z`,
  (x, y) => `M ${x} ${y - R - 1} L ${x + R + 1} ${y + R} L ${x - R - 1} ${y + R} Z`,
  (x, y) => `M ${x - R} ${y - R} h ${2 * R} v ${2 * R} h ${-2 * R} Z`,
  (x, y) => `M ${x} ${y - R - 2} L ${x + R + 1} ${y} L ${x} ${y + R + 2} L ${x - R - 1} ${y} Z`,
];

function add(parent, name, attributes = {}, text = '') {
  const made = parent.appendChild(['svg', 'path'].includes(name) ? document.createElementNS(SVG, name) : document.createElement(name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

function render({ model, el }) {
  const panels = model.get('panels'), groups = model.get('groups'), group = model.get('group'), texts = model.get('texts');
  el.classList.add('mb');
  const legend = add(el, 'p', { class: 'mb-scatter-legend' });
  groups.forEach((name, i) => {
    add(legend, 'b', { style: `color: var(${ROLES[i]})`, 'aria-hidden': 'true' }, SIGNS[i]);
    legend.append(` ${name}   `);
  });
  const row = add(el, 'div', { class: 'mb-scatter' });
  const line = add(el, 'p', { class: 'mb-scatter-line', role: 'status' }, 'Point at a dot, or go to a panel with Tab and press the arrow keys: its sentence appears here.');
  const all = panels.map(({ title, places }) => {
    const figure = add(row, 'figure', {});
    add(figure, 'figcaption', {}, title);
    const svg = add(figure, 'svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, tabindex: 0, role: 'application', 'aria-label': `${title}: ${texts.length} points; arrow keys go from point to point` });
    const order = places.map((_, i) => i).sort((a, b) => places[a][0] - places[b][0]);
    const dots = places.map(([x, y], i) => {
      const at = [EDGE + x * (SIZE - 2 * EDGE), SIZE - EDGE - y * (SIZE - 2 * EDGE)];
      const dot = add(svg, 'path', { d: SHAPES[group[i]](...at), style: `fill: var(${ROLES[group[i]]})` });
      dot.addEventListener('mouseenter', () => show(i));
      return dot;
    });
    let at = -1;
    svg.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();            // JupyterLab has keys of its own
      at = Math.min(order.length - 1, Math.max(0, at + step));
      show(order[at]);
    });
    return dots;
  });

  function show(i) {                      // the same sentence lights up in every panel
    all.forEach(dots => dots.forEach((dot, other) => dot.classList.toggle('mb-now', other === i)));
    line.replaceChildren();
    add(line, 'b', {}, `${SIGNS[group[i]]} ${groups[group[i]]}: `);
    line.append(texts[i]);
  }
}

export default { render };
