"""Drives notebooks in a real JupyterLab, in headless Chromium, and names every problem that a reader would
meet.

JupyterLab hides much of what goes wrong: an exception or a warning in a widget's callback is shown nowhere.
So the driver listens to the kernel's messages and the browser's requests, and looks at the page itself
(lab.js).
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

# makes its list of fonts if there is none: in a lesson that is announced on stderr
import matplotlib.font_manager
from patience import HANG, Patience, processor_time
from playwright.sync_api import Error, TimeoutError, sync_playwright

SETTINGS = {  # every cell is in the page, wherever it is scrolled to, and nothing is saved or fetched
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
CHROMIUM = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
NOWHERE = "http://127.0.0.1:9"  # the kernel's proxy: what asks another host fails at once
HANG_MS = 1000 * HANG  # no limit, but an end to what hangs: JupyterLab's start, a page
QUIET_MS = 150  # after the kernel's last message, time enough for the page to draw
MOVE_MS = 120_000  # for a control to be ready to be clicked, or an option to be there
LOOK_MS = 10_000  # between two looks at what a kernel is doing
FRAMES = 180  # an action that has changed nothing in so many drawings changes nothing
NARROW = {"width": 360, "height": 800}  # a telephone
SETTLED = 30  # drawings after which a page has taken its new width
LEAST_CONTRAST = 3.0  # WCAG 2.2, 1.4.3 and 1.4.11: large text and parts of a figure


@contextlib.contextmanager
def server(root, folder):
    """A JupyterLab server on a free loopback port for the files under `root`; yields its address, and a
    function that gives the processor time of its kernels.

    All that it keeps (settings, history, the package's cache) lies in `folder`: nothing of the user's is read
    or changed, except matplotlib's list of fonts, which takes a while to make.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "labconfig").mkdir(parents=True, exist_ok=True)
    (folder / "labconfig" / "default_setting_overrides.json").write_text(json.dumps(SETTINGS))
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={root}",
        "--IdentityProvider.token=",
        f"--FileCheckpoints.checkpoint_dir={folder}/checkpoints",
        "--LabApp.expose_app_in_browser=True",
    ]
    environment = dict(
        os.environ,
        JUPYTER_CONFIG_DIR=str(folder),
        JUPYTER_DATA_DIR=f"{folder}/data",
        JUPYTER_RUNTIME_DIR=f"{folder}/runtime",
        IPYTHONDIR=f"{folder}/ipython",
        XDG_CACHE_HOME=f"{folder}/cache",
        MPLCONFIGDIR=matplotlib.get_cachedir(),
        JUPYTER_PREFER_ENV_PATH="1",
        http_proxy=NOWHERE,
        https_proxy=NOWHERE,
        no_proxy="127.0.0.1,localhost",
    )
    log = folder / "server.log"
    with log.open("w") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        patience = Patience(lambda: processor_time(process.pid))
        while not list(folder.glob("runtime/jpserver-*.json")):
            if process.poll() is not None or not patience.lasts():
                raise RuntimeError("JupyterLab did not start:\n" + log.read_text()[-3000:])
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}", lambda: processor_time(process.pid, own=False)
    finally:
        process.terminate()  # the server then shuts its kernels down
        process.wait(HANG)


@contextlib.contextmanager
def started(root, folder, chromium):
    """A JupyterLab server and a browser; yields visit(notebook, actions) for notebooks under `root`."""
    with server(root, folder) as (url, worked), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=CHROMIUM)
        context = browser.new_context(viewport={"width": 1200, "height": 900})
        context.add_init_script(path=Path(__file__).with_name("lab.js"))
        yield lambda notebook, actions=(): Visit(context, url, worked).problems_of(notebook, actions)
        browser.close()


class Visit:
    """One notebook, opened, run and used once. worked(): the processor time of the kernels."""

    def __init__(self, context, url, worked):
        self.page, self.url, self.worked = context.new_page(), url, worked
        self.problems, self.operable = {}, {}  # dicts without values, for their order
        self.page.set_default_timeout(HANG_MS)
        self.page.on("request", lambda request: self.ask(request.url))
        self.page.on("websocket", lambda opened: self.ask(opened.url))

    def problems_of(self, notebook, actions):
        """Run all cells of `notebook` (a path under the server's root), do each action, and return all
        problems found.

        actions: texts, or tuples of texts where only all steps together change something. slider:LABEL=VALUE,
        dropdown:LABEL=OPTION, text:LABEL=VALUE, check:LABEL=on (or off), toggle:LABEL=OPTION (also radio
        buttons), click:TEXT (a button, a tab, an accordion's title), press:CSS=KEY (a key on the first such
        element). LABEL is the control's description, and LABEL#2 the second control with that description.
        """
        plans = [(action,) if isinstance(action, str) else action for action in actions]
        try:
            self.open(notebook)
            self.attempt("run all cells", lambda: self.page.evaluate("lab.run()"))
            for steps in plans:
                self.use(steps)
            for problem in self.page.evaluate("lab.notRun()"):
                self.note(problem)
            for theme in ("Dark", "Light"):  # JupyterLab keeps the last one
                self.page.evaluate("theme => void lab.wear(theme)", theme)
                self.page.wait_for_function("theme => lab.wears(theme)", arg=theme)
                for problem in self.page.evaluate("least => lab.faint(least)", LEAST_CONTRAST):
                    self.note(f"{problem} ({theme.lower()} theme)")
            self.page.set_viewport_size(NARROW)
            self.page.evaluate("frames => lab.within(frames, () => false)", SETTLED)
            for problem in self.page.evaluate("lab.cut()"):
                self.note(f"{problem} ({NARROW['width']} pixels wide)")
        finally:
            with contextlib.suppress(Error):  # a kernel that died has nothing to shut down
                self.page.evaluate("lab.stop()")
            self.page.close()
        used = {name(step) for steps in plans for step in steps}
        return [
            *self.problems,
            *(f"no action moves {control}" for control in self.operable if control not in used),
        ]

    def open(self, notebook):
        """Open the notebook and start to listen; errors before that are the application's own."""
        self.page.goto(f"{self.url}/doc/tree/{quote(str(notebook))}")
        self.page.wait_for_function("window.jupyterapp && document.querySelector('.jp-Notebook .jp-Cell')")
        self.page.evaluate("void lab.listen()")
        self.page.wait_for_function("lab.listening()")
        self.page.on("pageerror", lambda error: self.note(f"JavaScript: {error.message}"))
        self.page.on(
            "console", lambda said: self.note(f"console: {said.text[:300]}") if said.type == "error" else None
        )

    def use(self, steps):
        """Do the steps of one action; it is a problem if nothing but the control itself changes."""
        title = " then ".join(steps)
        self.page.evaluate("lab.remember()")
        if not all(self.attempt(title, lambda step=step: move(self.page, step)) for step in steps):
            return
        if not self.page.evaluate("frames => lab.within(frames, lab.changed)", FRAMES):
            self.note(f"{title}: changed nothing")

    def attempt(self, title, do):
        """Do it, wait until the kernel has no more to say, and note what is wrong; False if it failed."""
        done = True
        try:
            do()
            self.until_quiet()
        except (Error, LookupError) as error:
            done = False
            self.note(f"{title}: {str(error).splitlines()[0]}")
        # what is not loaded by then is a problem that lab.problems() tells
        self.page.evaluate("frames => lab.within(frames, lab.loaded)", FRAMES)
        for problem in self.page.evaluate("lab.problems()"):
            self.note(problem)
        self.operable |= dict.fromkeys(self.page.evaluate("lab.names()"))
        return done

    def until_quiet(self):
        """Wait until the kernel has nothing more to say, for as long as it computes or cells finish.

        Raises LookupError when neither happens any more.
        """
        patience, start = Patience(lambda: (self.worked(), self.page.evaluate("lab.said()"))), self.worked()
        while patience.lasts() and self.worked() - start < HANG:  # an endless loop computes, too
            with contextlib.suppress(TimeoutError):
                return self.page.wait_for_function(f"lab.quiet({QUIET_MS})", timeout=LOOK_MS)
        raise LookupError(f"no end after {self.worked() - start:g} s of processor time")

    def note(self, problem):
        self.problems[problem] = None

    def ask(self, url):
        """Note a request that leaves this machine."""
        here, there = urlsplit(self.url), urlsplit(url)
        if there.scheme not in ("data", "blob") and there.netloc != here.netloc:
            self.note(f"request to another host: {url[:200]}")


def name(step):
    """The control that a step moves: kind:LABEL."""
    return step if step.startswith("click:") else step.partition("=")[0]


def move(page, step):
    """Operate a control as a reader does. Raises LookupError where there is none of that name or option."""
    kind, value = step.partition(":")[0], step.partition("=")[2]
    if kind == "press":
        css, _, key = step.removeprefix("press:").rpartition("=")
        page.locator(css).first.press(key, timeout=MOVE_MS)
        return
    box = page.evaluate_handle("name => lab.control(name)", name(step)).as_element()
    if box is None:
        raise LookupError(f"no such control; there are {page.evaluate('lab.names()')}")
    MOVES[kind](box, value)


def slide(box, value):
    """Type the value over the number beside the slider; if that has no effect, walk with the arrow keys."""
    readout, handle = box.query_selector(".widget-readout"), box.query_selector("[role=slider]")
    readout.fill(value)
    readout.press("Enter")
    if "\n" not in readout.inner_text():
        return
    # the slider of a list of options: Enter was a new line; End and Home write its text anew
    handle.press("End")
    handle.press("Home")
    for _ in range(int(float(handle.get_attribute("aria-valuemax")))):
        if readout.inner_text().strip() != value:
            handle.press("ArrowRight")


def choose(box, option):
    box.query_selector("select").select_option(label=option, timeout=MOVE_MS)


def write(box, value):
    field = box.query_selector("input, textarea")
    field.fill(value)
    field.press("Tab")  # leaving a number box commits it


def tick(box, value):
    box.query_selector("input").set_checked(value == "on")


def press(box, option):
    choices = box.query_selector_all("button, label:not(.widget-label)")
    options = {choice.inner_text().strip(): choice for choice in choices}
    if option not in options:
        raise LookupError(f"no option {option!r} in {list(options)}")
    options[option].click()


def click(box, _):
    box.click(timeout=MOVE_MS)


MOVES = {"slider": slide, "dropdown": choose, "text": write, "check": tick, "toggle": press, "click": click}
