// All heads of a model as small maps, one button each, and the chosen one large: tokens that look on the left, tokens that are
// looked at on the right, an arc for each weight. Arrow keys go from head to head, and from token to token.

const SVG = 'http://www.w3.org/2000/svg', STEPS = 127;
const ROW = 24, WIDTH = 200, LEAST = 0.02;

function add(parent, name, attributes = {}, text = '') {
  const drawn = ['svg', 'path', 'text', 'rect'].includes(name);
  const made = parent.appendChild(drawn ? document.createElementNS(SVG, name) : document.createElement(name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

function shown(weight) { return (weight < 0 ? '−' : '') + Math.abs(weight).toFixed(2); }

function render({ model, el }) {
  el.classList.add('mb');
  const box = add(el, 'div', { class: 'mb-browse' });
  const grid = add(box, 'div', { class: 'mb-browse-grid', role: 'group', 'aria-label': 'All heads; arrow keys go from head to head' });
  const large = add(box, 'div', { class: 'mb-browse-large' });
  let buttons = [], token = -1;

  function weights(layer, head) {
    const [, H] = model.get('size'), T = model.get('tokens').length, raw = model.get('maps');
    const bytes = new Int8Array(raw.buffer ?? raw, raw.byteOffset ?? 0, raw.byteLength);
    const start = (layer * H + head) * T * T;
    return { T, at: (t, s) => bytes[start + t * T + s] / STEPS };
  }

  function paint(canvas, layer, head) {
    const { T, at } = weights(layer, head), pen = canvas.getContext?.('2d');
    if (!pen) return;
    canvas.width = canvas.height = T;
    const style = getComputedStyle(el);
    const [plus, minus] = ['--mb-query', '--mb-key'].map(name => color(style.getPropertyValue(name)));
    for (let t = 0; t < T; t += 1) {
      for (let s = 0; s < T; s += 1) {
        const weight = at(t, s);
        pen.globalAlpha = Math.min(1, Math.sqrt(Math.abs(weight)));
        pen.fillStyle = weight < 0 ? minus : plus;
        pen.fillRect(s, t, 1, 1);
      }
    }
  }

  function color(role) {                  // light-dark() is resolved where it is used, not in a custom property
    const probe = add(el, 'i', { style: `color: ${role}` });
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found || 'gray';
  }

  function choose(layer, head) {
    model.set('chosen', [layer, head]);
    model.save_changes();
  }

  function drawGrid() {
    const [L, H] = model.get('size'), [layer, head] = model.get('chosen');
    const focused = buttons.some(row => row.includes(document.activeElement));
    grid.replaceChildren();
    grid.style.setProperty('--heads', H);
    buttons = Array.from({ length: L }, (_, l) => {
      add(grid, 'small', { class: 'mb-faint' }, `${l + 1}`).setAttribute('aria-hidden', 'true');
      return Array.from({ length: H }, (_, h) => {
        const button = add(grid, 'button', { type: 'button', class: 'mb-browse-head', 'aria-label': `layer ${l + 1}, head ${h + 1}` });
        paint(add(button, 'canvas', { 'aria-hidden': 'true' }), l, h);
        button.addEventListener('click', () => choose(l, h));
        button.addEventListener('keydown', event => {
          const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
          if (!step) return;
          event.preventDefault();
          event.stopPropagation();        // JupyterLab has keys of its own
          const [a, b] = [Math.min(L - 1, Math.max(0, l + step[0])), Math.min(H - 1, Math.max(0, h + step[1]))];
          choose(a, b);
          buttons[a][b].focus();
        });
        return button;
      });
    });
    mark();
    if (focused) buttons[layer]?.[head]?.focus();
  }

  function mark() {
    const [layer, head] = model.get('chosen');
    buttons.forEach((row, l) => row.forEach((button, h) => {
      const now = l === layer && h === head;
      button.setAttribute('aria-pressed', now);
      button.setAttribute('tabindex', now ? 0 : -1);
    }));
  }

  function drawLarge() {
    large.replaceChildren();
    const problem = model.get('problem');
    if (problem) {
      add(large, 'p', { class: 'mb-error', role: 'alert' }, problem);
      return;
    }
    const tokens = model.get('tokens'), [layer, head] = model.get('chosen'), { T, at } = weights(layer, head);
    add(large, 'h4', {}, `Layer ${layer + 1}, head ${head + 1}`);
    const stage = add(large, 'div', { class: 'mb-browse-stage', style: `height: ${T * ROW}px` });
    const left = add(stage, 'div', { class: 'mb-browse-words', role: 'group', 'aria-label': 'Tokens that look; choose one' });
    const svg = add(stage, 'svg', { viewBox: `0 0 ${WIDTH} ${T * ROW}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    const right = add(stage, 'div', { class: 'mb-browse-words mb-browse-keys', 'aria-hidden': 'true' });
    const line = add(large, 'p', { class: 'mb-browse-line', role: 'status' });
    const paths = [], numbers = tokens.map(text => {
      const cell = add(right, 'span');
      add(cell, 'bdi', {}, text);
      return add(cell, 'small', { class: 'mb-number' });
    });
    const lookers = tokens.map((text, t) => {
      const button = add(left, 'button', { type: 'button', tabindex: t === Math.max(0, token) ? 0 : -1 });
      add(button, 'bdi', {}, text);
      button.addEventListener('mouseenter', () => light(t));
      button.addEventListener('mouseleave', () => light(token));
      button.addEventListener('click', () => { token = token === t ? -1 : t; light(token); });
      button.addEventListener('keydown', event => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        token = Math.min(T - 1, Math.max(0, t + step));
        lookers.forEach((other, place) => other.setAttribute('tabindex', place === token ? 0 : -1));
        lookers[token].focus();
        light(token);
      });
      return button;
    });
    for (let t = 0; t < T; t += 1) {
      for (let s = 0; s < T; s += 1) {
        const weight = at(t, s);
        if (Math.abs(weight) < LEAST) continue;
        const [a, b] = [(t + 0.5) * ROW, (s + 0.5) * ROW];
        const path = add(svg, 'path', { d: `M 0 ${a} C ${WIDTH / 2} ${a} ${WIDTH / 2} ${b} ${WIDTH} ${b}`, class: weight < 0 ? 'mb-browse-minus' : 'mb-browse-plus' });
        path.style.strokeWidth = `${1 + 5 * Math.abs(weight)}px`;
        path.dataset.t = t;
        path.dataset.opacity = Math.min(1, 0.08 + Math.abs(weight));
        paths.push(path);
      }
    }

    function light(t) {
      for (const path of paths) path.style.opacity = t < 0 || Number(path.dataset.t) === t ? path.dataset.opacity : 0.03;
      lookers.forEach((button, place) => button.setAttribute('aria-pressed', place === t));
      numbers.forEach((number, s) => { number.textContent = t < 0 || Math.abs(at(t, s)) < 0.005 ? '' : shown(at(t, s)); });
      const order = tokens.map((_, s) => s).sort((a, b) => at(t, b) - at(t, a)).slice(0, 3);
      line.textContent = t < 0
        ? 'Point at a token on the left, or go there with Tab and the arrow keys: its weights appear on the right.'
        : `${tokens[t]} looks at ${order.map(s => `${tokens[s]} (${shown(at(t, s))})`).join(', ')}.`;
    }
    if (token >= T) token = -1;
    light(token);
  }

  function all() { drawGrid(); drawLarge(); }

  model.on('change:maps', all);
  model.on('change:problem', drawLarge);
  model.on('change:chosen', () => { mark(); drawLarge(); });
  const theme = typeof MutationObserver === 'undefined' ? null : new MutationObserver(drawGrid);
  theme?.observe(document.body, { attributes: true, attributeFilter: ['data-jp-theme-light'] });
  all();
  if (typeof requestAnimationFrame !== 'undefined') requestAnimationFrame(drawGrid);     // colours are known once it is in the page
  return () => theme?.disconnect();
}

export default { render };
