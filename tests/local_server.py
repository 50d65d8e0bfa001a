"""A web server on this machine, for code that downloads: it runs in a thread, from its making to `stop`."""

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LocalServer(ThreadingHTTPServer):
    """handler: the class that answers; what it needs stands on its `server`. address: without a slash."""

    daemon_threads = True

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def stop(self):
        if self.thread.is_alive():
            self.shutdown()
            self.server_close()
            self.thread.join()


class FileServer(LocalServer):
    """files: {name: bytes}; breaks: {name: bytes to send before the connection ends}, once; pauses: {name:
    bytes to send before `paused()` is called}, once; asked: (name, Range) of each call; ranges: whether it
    can go on in the middle of a file.
    """

    def __init__(self, ranges=True):
        self.files, self.breaks, self.pauses, self.asked, self.ranges = {}, {}, {}, [], ranges
        super().__init__(Answer)
        self.address += "/"


class Answer(BaseHTTPRequestHandler):
    """GET with Range, as a plain server of files has it."""

    def do_GET(self):
        name, asked = self.path[1:], self.headers.get("Range")
        self.server.asked.append((name, asked))
        content = self.server.files.get(name)
        if content is None:
            return self.send_error(404)
        begin = int(re.fullmatch(r"bytes=(\d+)-", asked)[1]) if asked and self.server.ranges else 0
        if begin and begin >= len(content):
            return self.send_error(416)
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        content = content[begin : self.server.breaks.pop(name, len(content))]
        if pause := self.server.pauses.pop(name, 0):
            self.wfile.write(content[:pause])
            self.server.paused()
        self.wfile.write(content[pause:])

    def log_message(self, *args):
        """Say nothing."""
