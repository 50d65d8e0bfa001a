// An order of tokens that can be moved, by dragging or with the arrow keys, and the two matrices that follow from it.
// The kernel computes the matrices; a row is what one token may look at.

function add(parent, name, attributes = {}, text = '') {
  const made = parent.appendChild(document.createElement(name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

export function moved(order, from, to) {
  const made = [...order], last = order.length - 1;
  const [token] = made.splice(from, 1);
  made.splice(Math.min(last, Math.max(0, to)), 0, token);
  return made;
}

function render({ model, el }) {
  const tokens = model.get('tokens');
  let chosen = model.get('order')[model.get('order').length - 1], dragged = null;
  el.classList.add('mb');
  const card = add(el, 'div', { class: 'mb-perm' });
  add(card, 'p', {}, 'The order in which the tokens are predicted. Drag a token, or go to it with Tab and press ← or →.');
  const row = add(card, 'div', { class: 'mb-perm-order', role: 'group', 'aria-label': 'Order of factorisation' });
  const bar = add(card, 'div', { class: 'mb-perm-bar' });
  const mix = add(bar, 'button', { type: 'button', class: 'mb-primary' }, 'Random order');
  const straight = add(bar, 'button', { type: 'button' }, 'Left to right');
  const line = add(card, 'p', { class: 'mb-line', role: 'status' });
  const grids = add(card, 'div', { class: 'mb-perm-grids' });

  function set(order, focus = null) {
    model.set('order', order);
    model.save_changes();
    draw();
    if (focus !== null) row.children[focus]?.focus();
  }
  mix.addEventListener('click', () => {
    const order = [...model.get('order')];
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    set(order);
  });
  straight.addEventListener('click', () => set(tokens.map((_, place) => place)));

  function chips() {
    const order = model.get('order');
    row.replaceChildren();
    order.forEach((token, place) => {
      const chip = add(row, 'button', { type: 'button', class: 'mb-perm-chip', draggable: 'true', 'aria-pressed': token === chosen, 'aria-label': `${tokens[token]}, number ${place + 1} of ${order.length} in the order` });
      add(chip, 'small', {}, String(place + 1));
      chip.append(tokens[token]);
      chip.addEventListener('click', () => { chosen = token; draw(); row.children[place].focus(); });
      chip.addEventListener('dragstart', event => { dragged = place; event.dataTransfer?.setData('text/plain', tokens[token]); });
      chip.addEventListener('dragover', event => event.preventDefault());
      chip.addEventListener('drop', event => {
        event.preventDefault();
        if (dragged !== null) { chosen = order[dragged]; set(moved(order, dragged, place)); }
        dragged = null;
      });
      chip.addEventListener('keydown', event => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();          // JupyterLab has keys of its own
        chosen = token;
        set(moved(model.get('order'), place, place + by), Math.min(order.length - 1, Math.max(0, place + by)));
      });
    });
  }

  function grid(title, told, visible) {
    const box = add(grids, 'div');
    add(box, 'h4', {}, title);
    add(box, 'p', { class: 'mb-faint' }, told);
    const table = add(box, 'table', { class: 'mb-perm-grid' });
    const head = add(table, 'tr');
    add(head, 'td');
    tokens.forEach(token => add(add(head, 'th', { scope: 'col' }), 'span', {}, token));
    visible.forEach((seen, t) => {
      const line = add(table, 'tr', { class: t === chosen ? 'mb-now' : '' });
      add(line, 'th', { scope: 'row' }, tokens[t]);
      seen.forEach((yes, s) => add(line, 'td', { class: yes ? 'mb-yes' : '' }, yes ? (s === t ? '◆' : '●') : ''));
    });
  }

  function draw() {
    chips();
    grids.replaceChildren();
    const content = model.get('content'), query = model.get('query'), order = model.get('order');
    grid('Content stream', 'What a token’s own vector may look at: all before it in the order, and itself (◆).', content);
    grid('Query stream', 'What predicts a token: all before it in the order, but not the token itself.', query);
    const seen = order.filter(other => query[chosen]?.[other]).map(other => tokens[other]);
    line.textContent = `Number ${order.indexOf(chosen) + 1} in the order: “${tokens[chosen]}” is predicted from ${seen.length ? seen.join(', ') : 'nothing but its position'}.`;
  }

  for (const name of ['order', 'content', 'query']) model.on(`change:${name}`, draw);
  draw();
}

export default { render };
