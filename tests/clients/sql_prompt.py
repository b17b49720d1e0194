"""Types at the prompt of `plybook sql` in a terminal of its own, and reads what stands there.

    sql_prompt.py PLYBOOK ARCHIVE
"""

import os
import pty
import select
import sys
import time

PLYBOOK, ARCHIVE = sys.argv[1:]
PROMPT = "plybook> "
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n;"
UP, LEFT, TAB, CTRL_C, CTRL_D = "\x1b[A", "\x1b[D", "\t", "\x03", "\x04"


class Terminal:
    def __init__(self):
        self.process, self.device = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm"
            os.execv(PLYBOOK, [PLYBOOK, "sql", "-a", ARCHIVE])
        self.seen = ""
        self.wait(PROMPT)

    def wait(self, text):
        """Reads until a text stands there, and forgets all before its end."""
        end = time.monotonic() + 20
        while text not in self.seen:
            ready, _, _ = select.select([self.device], [], [], max(0, end - time.monotonic()))
            if not ready:
                sys.exit(f"waited for {text!r} and saw {self.seen!r}")
            try:
                self.seen += os.read(self.device, 65536).decode("utf-8", "replace")
            except OSError:
                sys.exit(f"plybook ended; waited for {text!r} and saw {self.seen!r}")
        before, self.seen = self.seen.split(text, 1)
        return before

    def type(self, keys):
        os.write(self.device, keys.encode())

    def leave(self):
        """Ctrl-D on an empty line; gives the exit code."""
        self.type(CTRL_D)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done:
                os.close(self.device)
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        sys.exit("Ctrl-D does not leave")


def main():
    terminal = Terminal()
    # A name that one word alone begins with is completed; a statement may take several lines.
    terminal.type("SELECT position_k" + TAB)
    terminal.wait("position_key(")
    terminal.type("'8/8/4k3/8/8/4K3/4P3/8 w - -') IS NOT NULL AS known,\r")
    terminal.type("  12345 + 1 AS sum;\r")
    answer = terminal.wait("12346")
    assert "known" in answer and "sum" in answer, answer
    terminal.wait(PROMPT)
    # The line before comes back, and can be changed.
    terminal.type(".format csv\r")
    terminal.wait(PROMPT)
    terminal.type(UP + UP)
    terminal.wait("12345")
    terminal.type("\r")
    terminal.wait("1,12346")
    terminal.wait(PROMPT)
    # Every query that takes too long can be ended, not only the first one.
    for _ in range(2):
        terminal.type(ENDLESS + "\r")
        terminal.wait("FROM n;")
        time.sleep(0.3)
        begun = time.monotonic()
        terminal.type(CTRL_C)
        terminal.wait("stopped")
        assert time.monotonic() - begun < 5
        terminal.wait(PROMPT)
    # At the prompt it gives the line up, and nothing more.
    terminal.type("SELECT nothing" + CTRL_C)
    terminal.wait(PROMPT)
    terminal.type("SELECT 20 + 22 AS answer;\r")
    terminal.wait("42")
    terminal.wait(PROMPT)
    # An error is told, and the prompt is there again.
    terminal.type("SELECT nowhere;\r")
    terminal.wait("no such column")
    terminal.wait(PROMPT)
    code = terminal.leave()
    assert code == 0, code

    # The history outlives the program.
    again = Terminal()
    again.type(UP + UP)
    again.wait("20 + 22")
    again.type("\r")
    again.wait("42")
    again.wait(PROMPT)
    assert again.leave() == 0
    print("the prompt does what is typed")


main()
