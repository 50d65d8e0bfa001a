// What lab.py asks of a notebook page in JupyterLab. It is in each page before JupyterLab is, as window.lab.
window.lab = (() => {
  const OUTPUTS = '.jp-Notebook .jp-OutputArea-output';
  const KINDS = {  // action kind: the ipywidgets it moves; everything else that can be operated is clicked
    slider: '.widget-slider', dropdown: '.widget-dropdown, .widget-select, .widget-select-multiple',
    text: '.widget-text, .widget-textarea', check: '.widget-checkbox', toggle: '.widget-toggle-buttons, .widget-radio',
  };
  const GUESS = ':not(.minibert-show-me)';  // the guess beside this button is given instead
  const CLICKED = `button${GUESS}, [role=tab], [role=button], [tabindex="0"]:not([data-scrolls]), .jupyter-widget-Collapse-header`;
  const OPERABLE = `input, select, textarea, [contenteditable=true], [role=slider], ${CLICKED}`;
  const CONTROLS = `${Object.values(KINDS).join()}, ${OPERABLE}`;
  const BROKEN =
    /^(Error (display|creat|render|load)ing|Javascript Error|Loading widget|\[Open Browser Console|Failed to)/;
  const heard = {problems: [], cells: {}, pending: new Set(), last: 0, listening: false, done: false, dead: false};
  let panel, shownBefore;

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const outputs = (selector) => all(OUTPUTS).flatMap(output => all(selector, output));
  const visible = element => element.getClientRects().length > 0;
  const text = element => (element?.innerText || '').replace('\u200b', '').trim();   // an empty label is that space
  const where = element => `cell ${panel.content.widgets.findIndex(cell => cell.node.contains(element))}`;

  // ---- the kernel: every message, because JupyterLab shows nothing of an exception or a warning in a callback

  async function listen() {
    await jupyterapp.restored;
    panel = jupyterapp.shell.currentWidget;
    await panel.context.ready;
    await panel.revealed;
    await panel.sessionContext.ready;
    const kernel = panel.sessionContext.session.kernel;
    await kernel.info;
    kernel.anyMessage.connect((_, {msg, direction}) => direction === 'send' ? sent(msg) : received(msg));
    kernel.statusChanged.connect((_, status) => {
      if (/dead|restarting/.test(status) && !heard.dead) heard.problems.push('the kernel died');
      heard.dead ||= /dead|restarting/.test(status);
    });
    heard.listening = true;
  }

  function sent(msg) {
    heard.last = Date.now();
    if (msg.channel !== 'shell') return;
    heard.pending.add(msg.header.msg_id);
    if (msg.metadata.cellId) heard.cells[msg.header.msg_id] = msg.metadata.cellId;
  }

  function received(msg) {
    heard.last = Date.now();
    const type = msg.header.msg_type, request = (msg.parent_header || {}).msg_id;
    if (msg.content.execution_state === 'idle' || msg.content.status === 'aborted') heard.pending.delete(request);
    const index = panel.content.widgets.findIndex(cell => cell.model.id === heard.cells[request]);
    const source = index < 0 ? 'a callback' : `cell ${index}`;
    const tags = index < 0 ? [] : panel.content.widgets[index].model.getMetadata('tags') || [];
    if (type === 'error' && !tags.includes('raises-exception'))
      heard.problems.push(`${source} raised ${msg.content.ename}: ${msg.content.evalue}`);
    const question = /^No such comm/.test(msg.content.text);     // JupyterLab's, for widgets of an earlier kernel
    if (type === 'stream' && msg.content.name === 'stderr' && !question)
      heard.problems.push(`${source} wrote to stderr: ${msg.content.text.trim().slice(0, 300)}`);
  }

  function run() {
    jupyterapp.commands.execute('notebook:run-all-cells').then(() => { heard.done = true; });
  }

  function quiet(ms) {
    return heard.dead || heard.done && !heard.pending.size && Date.now() - heard.last > ms;
  }

  const said = () => heard.last;

  const stop = () => Promise.race([panel.sessionContext.shutdown(), new Promise(given => setTimeout(given, 5000))]);

  function notRun() {
    const missing = panel.content.widgets.flatMap((cell, index) =>
      cell.model.type === 'code' && cell.model.sharedModel.source.trim() && !cell.model.executionCount ? [index] : []);
    return missing.length ? [`cells that did not run: ${missing.join(', ')}`] : [];
  }

  // ---- the controls

  // Name -> element of everything that can be operated, named as in an action; the second "slider:x" is "slider:x#2".
  function controls() {
    const found = new Map(), seen = new Set();
    for (const leaf of outputs(OPERABLE)) {
      const [kind, root] = Object.keys(KINDS).map(kind => [kind, leaf.closest(KINDS[kind])]).find(([, root]) => root)
        || ['click', leaf.closest(CLICKED) || leaf];
      if (seen.has(root)) continue;
      seen.add(root);
      const labels = kind === 'click' ? [text(root)] : all('.widget-label, .widget-label-basic', root).map(text);
      const label = [...labels, root.ariaLabel, root.title, leaf.ariaLabel, leaf.placeholder].find(Boolean) || '';
      let name = `${kind}:${label}`;
      for (let n = 2; found.has(name); n++) name = `${kind}:${label}#${n}`;
      found.set(name, {root, leaf, usable: visible(root) && !leaf.disabled});
    }
    return found;
  }

  // The explorer's parts may be moved, but need not: tests/course/explorer moves them all.
  const asked = () => [...controls()].filter(([, {leaf, usable}]) => usable && !leaf.closest('.mb'));
  const names = () => asked().map(([name]) => name);
  const control = name => controls().get(name)?.root;

  // What the outputs show apart from their controls: tells whether an action changed anything.
  function shown() {
    return all(OUTPUTS).map(output => {
      const copy = output.cloneNode(true);
      all(CONTROLS, copy).forEach(element => element.remove());
      return copy.innerHTML + all('canvas', output).map(canvas => canvas.toDataURL()).join();
    }).join();
  }

  function remember() {
    shownBefore = shown();
    heard.last = Date.now();
  }

  const changed = () => heard.dead || shown() !== shownBefore;

  // Whether a condition comes true before the page has been drawn so many times: on a slow machine that takes longer.
  const within = (frames, condition) => new Promise(given => {
    const look = left => condition() ? given(true)
      : left ? requestAnimationFrame(() => look(left - 1)) : given(false);
    look(frames);
  });

  // ---- what the page shows

  function loaded() {
    return !all(OUTPUTS).some(output => /^Loading widget/.test(text(output)))
      && outputs('img').every(image => image.complete);
  }

  function flaws() {
    const errors = outputs('.minibert-error').map(line => `${where(line)}: a view shows "${text(line)}"`);
    const broken = all(OUTPUTS).filter(output => BROKEN.test(text(output)))
      .map(output => `${where(output)}: not rendered: ${text(output).slice(0, 200)}`);
    const pictures = [...outputs('img, svg, canvas'), ...all('.jp-Notebook .jp-MarkdownOutput img')]
      .filter(picture => visible(picture) && !picture.closest('[data-icon], [aria-hidden=true], [role=presentation]')
        && !picture.parentElement.closest('svg'));
    const silent = pictures.filter(picture => !alternative(picture))
      .map(picture => `${where(picture)}: <${picture.localName}> without a text alternative`);
    const lost = pictures.filter(picture => picture.localName === 'img' && picture.complete && !picture.naturalWidth)
      .map(picture => `${where(picture)}: image not loaded: ${picture.src.slice(0, 100)}`);
    const unnamed = asked().filter(([name]) => /:(#\d+)?$/.test(name))
      .map(([name, {root}]) => `${where(root)}: a control without a label (${name.split(':')[0]})`);
    return [...errors, ...broken, ...silent, ...lost, ...unnamed];
  }

  function alternative(picture) {
    const words = picture.alt || picture.ariaLabel || picture.querySelector('title')?.textContent;
    return (words || '').trim() && !/^no description/i.test(words);
  }

  function problems() {
    return [...heard.problems.splice(0), ...flaws()];
  }

  // ---- contrast, in the theme of the moment

  // Dark or Light; folded parts are opened, to be seen too.
  function wear(theme) {
    outputs('details').forEach(details => { details.open = true; });
    return jupyterapp.commands.execute('apputils:change-theme', {theme: `JupyterLab ${theme}`});
  }

  // JupyterLab covers the change with its splash screen; a second change before that has faded is an error of its own.
  const wears = theme => document.body.dataset.jpThemeName === `JupyterLab ${theme}`
    && !document.querySelector('#jupyterlab-splash');

  // Texts of the views whose contrast with what lies behind is too low. The controls' colours are ipywidgets' own, those
  // of highlighted code JupyterLab's.
  async function faint(least) {
    const found = {};
    for (const element of outputs('svg text, svg tspan, .widget-html-content *, .jp-RenderedHTMLCommon *')) {
      const node = [...element.childNodes].find(child => child.nodeType === Node.TEXT_NODE && child.data.trim());
      if (!node || !visible(element) || element.closest(`${CONTROLS}, style, script, title, code`)) continue;
      const behind = await background(element, node);
      const color = behind && over(paint(element, element.closest('svg') ? 'fill' : 'color'), behind);
      if (color && contrast(color, behind) < least)
        (found[where(element)] ||= []).push(`"${node.data.trim()}" ${rgb(color)} on ${rgb(behind)}`);
    }
    return Object.entries(found).map(([cell, texts]) =>
      `${cell}: hard to read: ${texts.length} text(s), first ${texts[0]}`);
  }

  // The colour under the middle of a text; null behind a gradient or a picture, which has no single one.
  async function background(element, node) {
    const ancestors = [];
    for (let e = element; e; e = e.parentElement) ancestors.unshift(e);
    if (ancestors.some(e => getComputedStyle(e).backgroundImage !== 'none')) return null;
    let color = ancestors.filter(e => !(e instanceof SVGElement))
      .reduce((below, e) => over(paint(e, 'background-color'), below), [255, 255, 255]);
    const range = document.createRange();
    range.selectNode(node);
    const box = range.getBoundingClientRect(), middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    for (const shape of all('path, rect, circle, ellipse, polygon, image', element.closest('svg') || element)) {
      const above = !(shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (above || shape.closest('defs')) continue;
      const at = middle.matrixTransform(shape.getScreenCTM().inverse());
      if (shape.localName === 'image') color = over(await pixel(shape, at), color);
      else if (shape.isPointInFill(at)) color = over(paint(shape, 'fill'), color);
    }
    return color;
  }

  async function pixel(image, at) {
    const {x, y, width, height} = image.getBBox(), picture = new Image();
    if (at.x < x || at.y < y || at.x >= x + width || at.y >= y + height) return [0, 0, 0, 0];
    picture.src = image.href.baseVal;
    await picture.decode();
    const context = Object.assign(document.createElement('canvas'), {width: 1, height: 1}).getContext('2d');
    const scaled = [(at.x - x) / width * picture.naturalWidth, (at.y - y) / height * picture.naturalHeight];
    context.drawImage(picture, ...scaled.map(Math.floor), 1, 1, 0, 0, 1, 1);
    const [r, g, b, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, alpha / 255];
  }

  function paint(element, property) {
    const style = getComputedStyle(element);
    const [r, g, b, alpha = 1] = style[property].match(/[\d.]+/g)?.map(Number) || [];
    if (!/^rgb/.test(style[property])) return [0, 0, 0, 0];
    return [r, g, b, alpha * style.opacity * (property === 'fill' ? style.fillOpacity : 1)];
  }

  const rgb = color => `rgb(${color.map(Math.round)})`;
  const over = ([r, g, b, alpha], below) => [r, g, b].map((value, i) => alpha * value + (1 - alpha) * below[i]);

  // WCAG 2.2, relative luminance and contrast ratio.
  const linear = value => value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

  function contrast(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  // ---- a narrow page

  // What hides a part of itself that is too wide, and cannot be scrolled to. A text for screen readers is clipped on
  // purpose.
  function cut() {
    const prose = '.jp-Notebook .jp-MarkdownOutput';
    const parts = [...outputs(':not(input)'), ...all(`${prose}, ${prose} *`)];
    const lost = parts.filter(part => {
      const {overflowX, clip} = getComputedStyle(part);
      return /hidden|clip/.test(overflowX) && clip === 'auto' && visible(part) && part.clientWidth > 1
        && part.scrollWidth > part.clientWidth + 3;
    });
    return lost.filter(part => !lost.some(other => other !== part && part.contains(other)))
      .map(part => `${where(part)}: cut off: ${part.scrollWidth} pixels of <${part.localName}> in ${part.clientWidth}, `
        + `"${text(part).slice(0, 40)}"`);
  }

  const listening = () => heard.listening;
  return {listen, listening, run, quiet, said, stop, notRun, names, control, remember, changed, loaded, within,
    problems, wear, wears, faint, cut};
})();
