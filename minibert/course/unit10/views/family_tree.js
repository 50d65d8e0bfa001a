// A family tree: one button in a row for each model, from top to bottom in time, a line from what it builds on, and a sign
// for each axis that it changed. Arrow keys go from model to model; what is chosen is told beside the tree.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
const SIGNS = { data: 'D', masks: 'M', objective: 'O', architecture: 'A', procedure: 'P' };
const SVG = 'http://www.w3.org/2000/svg';

function add(parent, name, attributes = {}, text = '') {
  const made = parent.appendChild(name === 'svg' || name === 'path' ? document.createElementNS(SVG, name) : document.createElement(name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

function render({ model, el }) {
  const members = model.get('members'), axes = model.get('axes');
  const trunk = members.findIndex(one => members.some(other => other.parent === one.name));   // its line goes down on the left
  let axis = '';
  el.classList.add('mb');
  const tree = add(el, 'div', { class: 'mb-tree' });
  const filters = add(tree, 'div', { class: 'mb-tree-axes', role: 'group', 'aria-label': 'Light up who changed' });
  const field = add(tree, 'div', { class: 'mb-tree-field', role: 'group', 'aria-label': 'The family; arrow keys go from model to model' });
  const lines = add(field, 'svg', { 'aria-hidden': 'true', class: 'mb-tree-lines' });
  const detail = add(tree, 'div', { class: 'mb-tree-detail', role: 'status' });

  const switches = axes.map(([name, told]) => {
    const button = add(filters, 'button', { type: 'button', 'aria-pressed': 'false' });
    add(button, 'b', {}, SIGNS[name]);
    button.append(` ${told}`);
    button.addEventListener('click', () => { axis = axis === name ? '' : name; draw(); });
    return button;
  });
  const nodes = members.map((one, number) => {
    const row = add(field, 'div', { class: number > trunk ? 'mb-tree-row mb-tree-child' : 'mb-tree-row' });
    add(row, 'small', { class: 'mb-faint' }, one.when === members[number - 1]?.when ? '' : one.when);
    const button = add(row, 'button', { type: 'button', class: 'mb-tree-node' });
    add(button, 'span', {}, one.name);
    const signs = add(button, 'small', { class: 'mb-tree-signs' });
    for (const [name, told] of axes) if (one.changes[name]) add(signs, 'b', { title: told, 'data-axis': name }, SIGNS[name]);
    const from = one.parent ? `, builds on ${one.parent}` : '';
    const changed = axes.filter(([name]) => one.changes[name]).map(([, told]) => told).join(', ');
    button.setAttribute('aria-label', `${one.name}, ${one.when}${from}${changed ? `, changed: ${changed}` : ''}`);
    button.addEventListener('click', () => choose(one.name));
    button.addEventListener('mouseenter', () => show(one));
    button.addEventListener('mouseleave', () => show(chosen()));
    button.addEventListener('keydown', event => {
      if (!(event.key in STEPS)) return;
      event.preventDefault();
      event.stopPropagation();            // JupyterLab has keys of its own
      const next = Math.min(members.length - 1, Math.max(0, number + STEPS[event.key]));
      nodes[next].focus();
      choose(members[next].name);
    });
    return button;
  });

  function chosen() { return members.find(one => one.name === model.get('chosen')) ?? members[0]; }

  function choose(name) {
    model.set('chosen', name);
    model.save_changes();
  }

  function show(one) {
    detail.replaceChildren();
    const title = add(detail, 'p');
    add(title, 'b', {}, one.name);
    title.append(` · ${one.when}${one.parent ? ` · builds on ${one.parent}` : ''}`);
    const list = add(detail, 'ul');
    for (const [name, told] of axes) {
      if (!one.changes[name]) continue;
      const item = add(list, 'li');
      add(item, 'b', { 'data-axis': name }, SIGNS[name]);
      item.append(` ${told}: ${one.changes[name]}`);
    }
    if (!list.children.length) list.remove();
    add(detail, 'p', {}, `What it brought: ${one.brought}.`);
    const paper = add(detail, 'p', { class: 'mb-faint' });
    if (one.link) add(paper, 'a', { href: one.link, target: '_blank', rel: 'noopener' }, one.paper);
    else paper.textContent = one.paper;
    for (const path of lines.children) path.classList.toggle('mb-now', [path.dataset.from, path.dataset.to].includes(one.name));
  }

  function connect() {
    lines.replaceChildren();
    const frame = field.getBoundingClientRect();
    let lane = Math.max(...nodes.map(node => node.getBoundingClientRect().right)) - frame.left;
    members.forEach((one, number) => {
      const parent = members.findIndex(other => other.name === one.parent);
      if (parent < 0 || !frame.width) return;
      const [a, b] = [nodes[parent], nodes[number]].map(node => node.getBoundingClientRect());
      const left = a.left - frame.left + 12, turn = b.top + b.height / 2 - frame.top;
      const path = add(lines, 'path', { class: 'mb-tree-line', d: members[parent].parent      // a grandchild's passes on the right
        ? `M ${a.right - frame.left} ${a.top + a.height / 2 - frame.top} H ${lane += 12} V ${turn} H ${b.right - frame.left}`
        : `M ${left} ${a.bottom - frame.top} V ${turn} H ${b.left - frame.left}` });
      path.dataset.from = one.parent;
      path.dataset.to = one.name;
    });
  }

  function draw() {
    const now = chosen().name;
    nodes.forEach((node, number) => {
      const one = members[number];
      node.setAttribute('aria-pressed', one.name === now);
      node.setAttribute('tabindex', one.name === now ? 0 : -1);
      node.classList.toggle('mb-away', Boolean(axis) && !one.changes[axis]);
    });
    switches.forEach((button, number) => button.setAttribute('aria-pressed', axes[number][0] === axis));
    connect();
    show(chosen());
  }

  model.on('change:chosen', draw);
  const watch = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(draw);
  watch?.observe(field);
  draw();
  return () => watch?.disconnect();
}

export default { render };
