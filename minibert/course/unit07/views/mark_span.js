// A passage as a card: click the first word of the answer, then the last. Tab reaches the passage, arrow keys go from
// word to word, Enter marks. The kernel says whether an answer is right.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

function add(parent, name, attributes = {}, text = '') {
  const made = parent.appendChild(document.createElement(name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

function render({ model, el }) {
  const words = model.get('words'), apart = model.get('apart'), questions = model.get('questions');
  let asked = 0, open = false;            // open: the next click may still move the end
  el.classList.add('mb');
  const card = add(el, 'div', { class: 'mb-span' });
  const list = add(card, 'div', { class: 'mb-span-asked', role: 'group', 'aria-label': 'Questions' });
  const text = add(card, 'p', { class: 'mb-span-text', role: 'group', 'aria-label': 'The passage: click the first word of the answer, then the last' });
  const bar = add(card, 'div', { class: 'mb-span-bar' });
  const give = add(bar, 'button', { type: 'button', class: 'mb-primary' }, 'That is my answer');
  const line = add(bar, 'span', { class: 'mb-span-line', role: 'status' });

  const choices = questions.map((question, place) => {
    const button = add(list, 'button', { type: 'button' }, `${place + 1}. ${question}`);
    button.addEventListener('click', () => { asked = place; open = false; draw(); });
    return button;
  });
  const places = words.map((word, place) => {
    if (place && apart[place]) text.append(' ');
    const button = add(text, 'button', { type: 'button', class: 'mb-span-word', tabindex: place ? -1 : 0 }, word);
    button.addEventListener('click', () => pick(place));
    button.addEventListener('keydown', event => {
      if (!(event.key in STEPS)) return;
      event.preventDefault();
      event.stopPropagation();            // JupyterLab has its own key bindings
      reach(Math.min(words.length - 1, Math.max(0, place + STEPS[event.key])));
    });
    return button;
  });

  function reach(place) {
    places.forEach((button, other) => button.setAttribute('tabindex', other === place ? 0 : -1));
    places[place].focus();
  }

  function set(name, value) {
    model.set(name, value);
    model.save_changes();
  }

  function pick(place) {
    const marks = model.get('marks').map(mark => [...mark]);
    const longer = open && place > marks[asked][0];
    marks[asked] = longer ? [marks[asked][0], place] : [place, place];
    open = !longer && place > 0;
    set('given', model.get('given').filter(other => other !== asked));
    set('marks', marks);
    places.forEach((button, other) => button.setAttribute('tabindex', other === place ? 0 : -1));
  }

  give.addEventListener('click', () => {
    open = false;
    set('given', [...model.get('given').filter(other => other !== asked), asked]);
  });

  function draw() {
    const [first, last] = model.get('marks')[asked] ?? [], said = model.get('said')[asked];
    choices.forEach((button, place) => button.setAttribute('aria-pressed', place === asked));
    places.forEach((button, place) => {
      const inside = first !== undefined && first <= place && place <= last;
      button.setAttribute('aria-pressed', inside);
      button.dataset.edge = (inside && place === first ? 's' : '') + (inside && place === last ? 'e' : '');
    });
    give.disabled = first === undefined;
    if (said) line.innerHTML = said;
    else if (first === undefined) line.textContent = 'Click the first word of the answer, then the last. Click [CLS] if the passage does not say.';
    else if (!first) line.textContent = 'Marked: [CLS]. The passage does not say.';
    else line.textContent = first === last ? `Marked: word ${first}. Click a later word to end there.` : `Marked: words ${first} to ${last}.`;
  }

  for (const name of ['marks', 'said', 'given']) model.on(`change:${name}`, draw);
  draw();
}

export default { render };
