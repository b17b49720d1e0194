"""Starts a scheduler and executors of plybook-cluster on this machine, and runs queries on them."""

import itertools, json, random, socket, subprocess, time, urllib.error, urllib.request


_ports = itertools.count(random.randrange(20000, 30000, 10), 10)


def free_port(number=1):
    """The first of some consecutive free ports that were not returned before."""
    for first in _ports:
        sockets = [socket.socket() for _ in range(number)]
        try:
            for port, each in enumerate(sockets, start=first):
                each.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for each in sockets:
                each.close()


class Failed(Exception):
    """A failed query, with its error message."""


class Cluster:
    """A scheduler and some executors, each running one task at a time by default."""

    def __init__(self, program, executors, *flags, tasks=1, lost_after=10, environment=None):
        self.program, self.environment, self.tasks, self.flags = program, environment, tasks, flags
        self.port, self.executors = free_port(), []
        self.scheduler = self._started("scheduler", "--listen", f"127.0.0.1:{self.port}", "--lost-after", str(lost_after),
                                       "--ready-with", str(executors))
        for _ in range(executors):
            self.add_executor()
        try:
            self._wait_until_ready()
        except Exception:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.executors, self.scheduler]:
            process.kill()
            process.wait()

    def _started(self, *arguments):
        return subprocess.Popen([self.program, *arguments], env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def add_executor(self):
        self.executors.append(self._started("executor", "--scheduler", f"127.0.0.1:{self.port}", "--port",
                                            str(free_port()), "--tasks", str(self.tasks), *self.flags))

    def _wait_until_ready(self):
        for _ in range(200):
            try:
                if urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz").status == 200:
                    return
            except (OSError, urllib.error.HTTPError):
                pass
            time.sleep(0.1)
        raise RuntimeError("the executors did not connect")

    def ask(self, tables, query):
        return ask(self.program, tables, query, "--scheduler", f"127.0.0.1:{self.port}", environment=self.environment)

    def asking(self, tables, query):
        """The same without waiting for the result."""
        return subprocess.Popen(command(self.program, tables, query, "--scheduler", f"127.0.0.1:{self.port}"),
                                env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def command(program, tables, query, *flags):
    named = [flag for name, place in tables.items() for flag in ("--table", f"{name}={place}")]
    return [program, "sql", query, *named, "--format", "jsonl", *flags]


def ask(program, tables, query, *flags, environment=None):
    """The rows of a result."""
    done = subprocess.run(command(program, tables, query, *flags), env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr.strip())
    return rows(done.stdout)


def rows(lines):
    return [tuple(json.loads(line).values()) for line in lines.splitlines()]
