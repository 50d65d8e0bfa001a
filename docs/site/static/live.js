// Draws the anywidgets of a page without a kernel. A file that live("name", data) wraps works from a disk, too.
const files = new Map(); // name -> the function that takes the file's data

function live(name, data) {
  files.get(name)(data);
}

/** Load a file of data, such as "../live/02-1". */
function load(path) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    files.set(path.split("/").pop(), resolve);
    script.onerror = () => reject(new Error("The numbers could not be loaded."));
    script.src = `${path}.js`;
    document.head.append(script);
  });
}

const bytes = text => new DataView(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);

/** Return the model of an anywidget: its stored state, and the kernel's stored answers to its messages. */
function modelOf(path, {state, bytes: buffers}) {
  const values = {...state};
  for (const [name, text] of Object.entries(buffers)) values[name] = bytes(text);
  const listeners = new EventTarget();
  const heard = new Map();
  const on = (name, hear) => {
    heard.set(hear, event => hear(...event.detail));
    listeners.addEventListener(name, heard.get(hear));
  };
  const tell = (name, ...detail) => listeners.dispatchEvent(new CustomEvent(name, {detail}));
  return {
    get: name => values[name],
    set(name, value) {
      values[name] = value;
      tell(`change:${name}`, this, value);
      tell("change", this);
    },
    save_changes() {},
    on,
    off: (name, hear) => hear && listeners.removeEventListener(name, heard.get(hear)),
    send: ({id, masked}) =>
      load(`${path}_${masked.join(",")}`).then(
        ({header, data}) => tell("msg:custom", {id, header}, [bytes(data)]),
        error => tell("msg:custom", {id, error: error.message}),
      ),
  };
}

async function draw(place) {
  const path = place.dataset.live;
  const stored = await load(path);
  const module = URL.createObjectURL(new Blob([stored.module], {type: "text/javascript"}));
  const {default: widget} = await import(module);
  const style = document.createElement("style");
  style.textContent = stored.style;
  document.head.append(style);
  place.replaceChildren();
  await widget.render({model: modelOf(path, stored), el: place});
}

/** Show one step of a calculation at a time. The steps of a large calculation are in a file of their own. */
async function walk(place) {
  for (const text of place.dataset.more ? await load(place.dataset.more) : []) {
    const step = document.createElement("section");
    step.innerHTML = text;
    place.append(step);
  }
  const steps = [...place.children];
  const bar = document.createElement("p");
  const where = document.createElement("span");
  where.setAttribute("role", "status");
  let now = 0;
  const button = (text, by) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.onclick = () => show(now + by);
    return made;
  };
  const [back, next] = [button("Back", -1), button("Next step", 1)];
  const show = step => {
    now = Math.max(0, Math.min(step, steps.length - 1));
    for (const [i, one] of steps.entries()) one.hidden = i !== now;
    where.textContent = `Step ${now + 1} of ${steps.length}`;
    [back.disabled, next.disabled] = [now === 0, now === steps.length - 1];
  };
  bar.append(back, " ", next, " ", where);
  place.prepend(bar);
  show(0);
}

const seen = new IntersectionObserver(
  entries => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      (target.matches(".steps") ? walk : draw)(target).catch(error => console.warn(error));
    }
  },
  {rootMargin: "300px"},
);
for (const box of document.querySelectorAll("pre, .figure, .output, .table-wrapper"))
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; // so that the arrow keys scroll it
for (const place of document.querySelectorAll("[data-live], .steps")) seen.observe(place);
