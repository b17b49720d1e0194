"""Starts scheduler and executors of plybook-cluster on this machine, and asks them."""

import json, socket, subprocess, time, urllib.error, urllib.request


def free_port(number=1):
    """The first of some ports in a row that nobody has."""
    for first in range(20000, 60000, 7):
        sockets = []
        try:
            for port in range(first, first + number):
                sockets.append(socket.socket())
                sockets[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for each in sockets:
                each.close()
    raise RuntimeError("no port is free")


class Failed(Exception):
    """A query that ended with an error, and what it says."""


class Cluster:
    """A scheduler with some executors, each of which does one task at a time unless told otherwise."""

    def __init__(self, program, executors, *flags, tasks=1, lost_after=10, environment=None):
        self.program, self.environment, self.tasks, self.flags = program, environment, tasks, flags
        self.port, self.executors = free_port(), []
        self.scheduler = self._started("scheduler", "--listen", f"127.0.0.1:{self.port}", "--lost-after", str(lost_after),
                                       "--ready-with", str(executors))
        for _ in range(executors):
            self.add_executor()
        self._wait_until_ready()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.executors, self.scheduler]:
            process.kill()
            process.wait()

    def _started(self, *arguments):
        return subprocess.Popen([self.program, *arguments], env=self.environment, stderr=subprocess.DEVNULL)

    def add_executor(self):
        self.executors.append(self._started("executor", "--scheduler", f"127.0.0.1:{self.port}", "--port",
                                            str(free_port(2)), "--tasks", str(self.tasks), *self.flags))
        time.sleep(0.3)  # until it has its ports

    def _wait_until_ready(self):
        for _ in range(200):
            try:
                if urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz").status == 200:
                    return
            except (OSError, urllib.error.HTTPError):
                pass
            time.sleep(0.1)
        raise RuntimeError("the executors did not come")

    def ask(self, tables, query):
        return ask(self.program, tables, query, "--scheduler", f"127.0.0.1:{self.port}", environment=self.environment)

    def asking(self, tables, query):
        """The same, begun and not waited for."""
        return subprocess.Popen(command(self.program, tables, query, "--scheduler", f"127.0.0.1:{self.port}"),
                                env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def command(program, tables, query, *flags):
    named = [flag for name, place in tables.items() for flag in ("--table", f"{name}={place}")]
    return [program, "sql", query, *named, "--format", "jsonl", *flags]


def ask(program, tables, query, *flags, environment=None):
    """The rows of an answer."""
    done = subprocess.run(command(program, tables, query, *flags), env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr.strip())
    return rows(done.stdout)


def rows(lines):
    return [tuple(json.loads(line).values()) for line in lines.splitlines()]
