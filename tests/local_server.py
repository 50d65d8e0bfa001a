"""A web server on this machine, for code that downloads: it runs in a thread, from its making to `stop`."""
import threading
from http.server import ThreadingHTTPServer


class LocalServer(ThreadingHTTPServer):
    """handler: the class that answers; what it needs stands on its `server`. address: without a last
    slash.
    """

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
