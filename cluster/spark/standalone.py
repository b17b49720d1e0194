"""A standalone Spark cluster on this machine: a master, and workers with one core each."""

import json, os, pathlib, subprocess, sys, time, urllib.request

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyspark
from pyspark.sql import SparkSession

HERE = pathlib.Path(__file__).resolve().parent
SPARK = pathlib.Path(pyspark.__file__).parent / "bin" / "spark-class"
PORT, WEB_PORT = 17077, 18080


class Standalone:
    def __init__(self, workers):
        self.processes = [self._started("master.Master", "--host", "127.0.0.1", "--port", PORT, "--webui-port", WEB_PORT)]
        for worker in range(1, workers + 1):
            self.processes.append(self._started("worker.Worker", "--host", "127.0.0.1", "--cores", 1, "--memory", "1g",
                                                "--webui-port", WEB_PORT + worker, f"spark://127.0.0.1:{PORT}"))
        self._wait_for(workers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
            process.wait()

    @staticmethod
    def _started(name, *arguments):
        return subprocess.Popen([SPARK, f"org.apache.spark.deploy.{name}", *map(str, arguments)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @staticmethod
    def _wait_for(workers):
        for _ in range(120):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{WEB_PORT}/json/") as answer:
                    if json.load(answer)["aliveworkers"] == workers:
                        return
            except OSError:
                pass
            time.sleep(0.5)
        raise RuntimeError("the workers did not connect")

    def session(self, log="ERROR", **more):
        """A session with plybook's functions."""
        os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
        builder = SparkSession.builder.master(f"spark://127.0.0.1:{PORT}").appName("plybook")
        settings = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
                    "spark.executor.cores": "1", "spark.executor.memory": "1g", "spark.sql.shuffle.partitions": "4",
                    "spark.ui.showConsoleProgress": "false", "spark.pyspark.python": sys.executable} | more
        for name, value in settings.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel(log)
        spark.sparkContext.addPyFile(str(HERE / "plybook_spark.py"))
        sys.path.insert(0, str(HERE))
        import plybook_spark
        plybook_spark.register(spark)
        return spark
