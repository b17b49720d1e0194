"""Runs a command in a terminal of 24 lines, types keys, and says what the command showed and how it left the terminal.

in_terminal.py COLUMNS KEYS COMMAND...

KEYS is a JSON array of texts; each is typed when nothing has been shown for a moment.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios

columns, keys, command = int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
main, side = pty.openpty()
fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
before = termios.tcgetattr(side)
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(side, termios.TIOCSCTTY, 0)
    for number in range(3):
        os.dup2(side, number)
    os.environ["TERM"] = "xterm"
    os.execvp(command[0], command)

shown = [b""]
ended = None
while True:
    ready, _, _ = select.select([main], [], [], 0.2 if keys else 0.03)
    if ready:
        shown[-1] += os.read(main, 65536)
    elif ended is not None:
        break
    elif keys and shown[-1]:
        os.write(main, keys.pop(0).encode())
        shown.append(b"")
    if ended is None:
        done, status = os.waitpid(child, os.WNOHANG)
        ended = status if done else None
json.dump(
    {
        "shown": [part.decode("utf-8", "replace") for part in shown],
        "code": os.waitstatus_to_exitcode(ended),
        "restored": termios.tcgetattr(side) == before,
    },
    sys.stdout,
)
