// The explorer's picture of a whole BERT. It draws the {header, array(name)} that the promise returned by
// source.trace({first, second, masked, off}) resolves to, and depends on neither Jupyter nor weights.
import {chips} from "./chips.js";
import {detail, partName} from "./detail.js";
import {count, html, quoted} from "./dom.js";
import {mapCaption, overview, tokenLine} from "./map.js";
import {numbers} from "./numbers.js";
import {changed, prediction} from "./prediction.js";
import {tourCard, tourSteps} from "./tour.js";

const TYPING = 400; // milliseconds without a key press before the text is read

/** Draw the explorer into an element. tour: false for no guided tour, "start" to begin with it. first, second: the
    sentences at the start. masked: positions of tokens to mask, by default the last whole word. models: the names of
    the models to choose from, if there is a choice; the source gets the place of the chosen one in this list.
    source.late: an optional {after, text}, where text is shown if an answer takes longer than `after` milliseconds.
    fixed: true if the source knows only these sentences and the first model, with at most one token masked by the
    reader, and no part switched off.
    brief: true to leave out sentence B and what it is for, the vector of [CLS], and all norms. */
export function render({
  element,
  source,
  tour = true,
  first = "",
  second = "",
  masked = null,
  models = [],
  fixed = false,
  brief = false,
}) {
  const state = {
    first,
    second: second || "",
    masked: masked || [],
    model: 0,
    off: [],
    token: 0,
    place: -1,
    depth: null,
    open: null,
    lit: null,
    words: [],
  };
  const view = {state, fixed, brief, numbers: null, before: null, act: {}};
  const part = name => html("div", {class: `mb-${name}`});
  const places = {chips: part("tokens"), map: part("overview"), detail: part("place")};
  places.map.append(html("p", {class: "mb-faint"}, "BERT is loading and computing its first prediction …"));
  const line = html("p", {class: "mb-line"});
  const live = html("p", {class: "mb-unseen", role: "status", "aria-live": "polite"});
  const error = html("p", {class: "mb-error", role: "alert", hidden: true});
  const note = html("p", {class: "mb-cut", hidden: true});
  const begin =
    tour &&
    html(
      "button",
      {type: "button", class: "mb-primary", "data-key": "tour", click: () => startTour()},
      "Guided tour",
    );
  const root = html(
    "div",
    {class: "mb", role: "region", "aria-label": "Explorer of a whole BERT", "aria-busy": "true"},
    html(
      "div",
      {class: "mb-texts", "data-part": "texts"},
      ...(fixed ? [] : [field(brief ? "Sentence" : "Sentence A", "first")]),
      fixed || brief ? null : field("Sentence B (optional)", "second"),
      models.length > 1 && !fixed ? choice() : null,
      begin || null,
    ),
    error,
    places.chips,
    html("p", {class: "mb-faint mb-hint"}, "Click a token to mask it, and click it again to unmask it."),
    note,
    places.map,
    line,
    places.detail,
    live,
  );
  let latest = 0;
  let waiting = null;
  let map = null;
  let asked = null;
  let opened = null;

  function field(label, name) {
    const input = html("input", {
      type: "text",
      dir: "auto",
      spellcheck: "false",
      autocomplete: "off",
      "data-key": name,
      input: () => {
        clearTimeout(waiting);
        waiting = setTimeout(read, TYPING);
      },
      change: () => read(),
    });
    input.value = state[name];
    const read = () => {
      clearTimeout(waiting);
      if (input.value === state[name]) return;
      Object.assign(state, {[name]: input.value, masked: [], token: 0});
      run(true);
    };
    return html("label", {}, html("span", {}, label), input);
  }

  function choice() {
    const options = models.map((name, place) => html("option", {value: String(place)}, name));
    const select = html(
      "select",
      {
        "data-key": "choice",
        change: () => change(Number(select.value)).then(() => select.focus()),
        keydown: event => event.stopPropagation(), // in a notebook, arrow keys would move to another cell
      },
      ...options,
    );
    return html("label", {class: "mb-model"}, html("span", {}, "Model"), select);
  }

  /** Show another model. The same tokens stay masked if it splits the text into the same tokens. */
  function change(model) {
    const open = root.querySelector('[data-key="tour close"]');
    if (open) open.click(); // the steps of a tour depend on the number of layers
    const {masked: kept, place} = state;
    Object.assign(state, {model, masked: [], off: [], open: null, depth: null});
    return run(true, place, kept).then(done => done && say(`${models[model]}. ${best()}`));
  }

  // ---- Questions to the source. Only the answer to the latest question is drawn.

  const ask = (masked, off) =>
    source.trace({
      first: state.first,
      second: state.second.trim() ? state.second : null,
      masked,
      off,
      model: state.model,
    });

  /** Trace the current state and draw it; the result is true if it was drawn. fresh: true if the text is new, so that a
      token to mask must be chosen. place: the masked position to show. kept: positions to mask in a new pass if its
      tokens are those of the last one. */
  async function run(fresh = false, place = state.place, kept = []) {
    const mine = (latest += 1);
    root.setAttribute("aria-busy", "true");
    await new Promise(done => setTimeout(done)); // paint the typed text first, because a source may block this thread
    if (mine !== latest) return false;
    const {after, text} = source.late || {};
    const late = text && setTimeout(() => mine === latest && complain(text), after);
    try {
      let found = await ask(state.masked, state.off);
      const words = fresh || !state.words.length ? found.header.tokens : state.words;
      const word = fresh && !found.header.masked.length ? lastWord(found.header) : -1;
      const same = kept.length > 0 && String(words) === String(state.words);
      const wanted = same ? kept : word >= 0 ? [word] : [];
      if (mine !== latest) return false;
      if (wanted.length) found = await ask((state.masked = wanted), state.off);
      const before = state.off.length ? await ask(state.masked, []) : null;
      if (mine !== latest) return false;
      state.words = words.map((token, t) =>
        found.header.masked.includes(t) ? token : found.header.tokens[t],
      );
      Object.assign(view, {numbers: numbers(found, state.off), before: before && before.header});
      settle(found.header, fresh, place);
      error.hidden = true;
      draw();
    } catch (problem) {
      if (mine !== latest) return false;
      complain(`This cannot be shown: ${(problem && problem.message) || problem}`);
      if (!view.numbers) places.map.replaceChildren();
    } finally {
      clearTimeout(late);
    }
    root.setAttribute("aria-busy", "false");
    return error.hidden;
  }

  function complain(text) {
    error.textContent = text;
    error.hidden = false;
  }

  /** Adapt the state to the tokens and sizes of a new pass. */
  function settle({masked: all, tokens, sizes, cut}, fresh, place) {
    state.place = all.includes(place) ? place : all.length ? all[all.length - 1] : -1;
    if (fresh) state.token = Math.max(0, state.place);
    state.token = Math.min(state.token, tokens.length - 1);
    note.hidden = !cut;
    note.textContent = cut
      ? `The text is too long for this picture, so ${count(cut)} tokens are left out ` +
        `and ${count(sizes.tokens)} are shown.`
      : "";
  }

  // ---- Drawing. Each part is redrawn completely, and the focus is restored.

  function draw(...names) {
    const here = root.getRootNode().activeElement;
    const key = here && root.contains(here) ? here.dataset.key : null;
    const all = {
      chips: () => [chips(view)],
      map: () => [offLine(), whole(), mapCaption(brief)],
      detail: () => [panel()],
    };
    for (const name of names.length ? names : Object.keys(all))
      places[name].replaceChildren(...all[name]().filter(Boolean));
    if (key && !here.isConnected) {
      const again = [...root.querySelectorAll("[data-key]")].find(one => one.dataset.key === key);
      if (again) again.focus({preventScroll: true});
    }
    mark(state.token);
    if (!line.textContent || !names.length) line.textContent = tokenLine(view, state.token);
    light();
  }

  /** Draw the open part. It grows out of its column when it is opened, but not when its numbers change. */
  function panel() {
    const element = detail(view);
    if (element && String(state.open) !== opened) element.classList.add("mb-opening");
    opened = String(state.open);
    return element;
  }

  function whole() {
    map = overview(view);
    map.element.append(prediction(view));
    return map.element;
  }

  function offLine() {
    if (!state.off.length) return null;
    return html(
      "p",
      {class: "mb-offline"},
      `Switched off: ${state.off.map(partName).join(", ")}. `,
      html(
        "button",
        {
          type: "button",
          "data-key": "all on",
          click: () => {
            state.off = [];
            run().then(done => done && say("Everything is on again."));
          },
        },
        "Switch everything on",
      ),
    );
  }

  /** Highlight the path of a token: its chip, its row and its arcs. */
  function mark(token) {
    if (map) map.highlight(token);
    for (const chip of root.querySelectorAll(".mb-chip"))
      chip.classList.toggle("mb-now", Number(chip.dataset.t) === token);
  }

  function light() {
    for (const old of root.querySelectorAll(".mb-lit")) old.classList.remove("mb-lit");
    const lit = state.lit ? [...root.querySelectorAll(`[data-part="${state.lit}"]`)] : [];
    for (const one of lit) one.classList.add("mb-lit");
    return lit;
  }

  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const show = one => one && one.scrollIntoView({block: "nearest", behavior: calm() ? "auto" : "smooth"});

  // ---- The open part under the map

  const focusOn = key => {
    const one = root.querySelector(`[data-key="${key}"]`);
    if (one) one.focus();
  };

  function up() {
    const [kind, layer, head] = state.open;
    if (kind !== "head") return close();
    act.open(["layer", layer]);
    return focusOn(`head ${layer} ${head}`);
  }

  function close() {
    const column = state.open[0] === "embeddings" ? "embeddings" : `layer ${state.open[1]}`;
    state.open = null;
    draw("map", "detail");
    focusOn(column);
  }

  // ---- Actions of the reader

  function say(text) {
    line.textContent = text;
    live.textContent = text;
  }

  const act = Object.assign(view.act, {
    say,
    up,
    close,
    hover(t) {
      const token = t === null ? state.token : t;
      if (token === act.hover.last) return;
      act.hover.last = token;
      mark(token);
      line.textContent = tokenLine(view, token);
    },
    choose(t) {
      if (t === state.token) return;
      state.token = t;
      act.hover.last = t;
      draw("detail");
      say(tokenLine(view, t));
    },
    mask(t) {
      const {header} = view.numbers;
      const at = quoted(header.tokens[t]);
      act.choose(t);
      if (header.special[t]) return say(`${at} is never masked.`);
      if (header.masked.includes(t) && !state.masked.includes(t))
        return say(`${at} is part of the text itself.`);
      const on = !state.masked.includes(t);
      const others = fixed ? [] : state.masked.filter(other => other !== t);
      state.masked = on ? [...others, t].sort((a, b) => a - b) : others;
      const told = () =>
        `Token ${t + 1}, ${quoted(state.words[t])}, is ${on ? `masked. ${best()}` : "not masked."}`;
      return run(false, on ? t : state.place).then(done => done && say(told()));
    },
    open(place) {
      if (String(place) === String(state.open)) return close();
      state.open = place;
      draw("map", "detail");
      const title = root.querySelector(".mb-detail h3");
      title.focus({preventScroll: true});
      return show(root.querySelector(".mb-detail"));
    },
    flip: !fixed && (place => {
      const name = String(place);
      const there = state.off.some(other => String(other) === name);
      state.off = there ? state.off.filter(other => String(other) !== name) : [...state.off, place];
      const told = () => `${there ? "On" : "Off"}: ${partName(place)}. ${view.before ? compared() : best()}`;
      run().then(done => done && say(told()));
    }),
    place(t) {
      state.place = t;
      draw("map");
      say(best());
    },
    depth(depth, top) {
      state.depth = depth;
      const where = depth ? `After layer ${depth}` : "After the embeddings";
      say(`${where}: ${quoted(top[depth][0][0])} is most probable.`);
    },
  });

  const topOf = header => header.top[header.masked.indexOf(state.place)];
  const best = () =>
    state.place < 0 ? "" : `Most probable: ${quoted(topOf(view.numbers.header)[view.numbers.L][0][0])}.`;
  const compared = () =>
    state.place < 0
      ? "Nothing is masked."
      : `${changed(topOf(view.before)[view.numbers.L], topOf(view.numbers.header)[view.numbers.L])}.`;

  // ---- The tour

  function startTour() {
    if (!view.numbers || root.querySelector(".mb-tour")) return;
    const {off} = state; // restored at the end of the tour
    const {card, start} = tourCard(tourSteps(view.numbers.L, !brief && "pooled" in view.numbers.header.arrays, fixed), step => {
      const {part: lit = null, to = {open: state.open, depth: null, off}} = step || {};
      const traced = String(to.off) !== String(state.off);
      Object.assign(state, to, {lit, token: step && state.place >= 0 ? state.place : state.token});
      const after = () => {
        if (mineIs()) show(light()[0]);
      };
      const mineIs = () => asked === step;
      asked = step;
      if (!step) begin.focus();
      if (traced || (step && !view.numbers.header.masked.length)) {
        run(step !== null && !view.numbers.header.masked.length).then(after);
      } else {
        draw();
        after();
      }
    });
    root.append(card);
    start();
  }

  element.replaceChildren(root);
  run(!masked).then(() => {
    if (tour === "start") startTour();
  });
}

/** Return the position of the last token that is a whole word, or -1. */
function lastWord({tokens, special}) {
  const whole = t =>
    !special[t] &&
    /[\p{L}\p{N}]/u.test(tokens[t]) &&
    !tokens[t].startsWith("##") &&
    !(tokens[t + 1] || "").startsWith("##");
  return tokens.reduce((found, _, t) => (whole(t) && tokens[t] !== "[UNK]" ? t : found), -1);
}
