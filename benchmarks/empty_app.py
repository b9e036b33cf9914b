"""What a sweep cannot do without: an empty Hydra job and an MLflow run logged in two batches."""

from __future__ import annotations

import os
import time
from pathlib import Path

import hydra
from omegaconf import DictConfig


@hydra.main(version_base="1.3", config_path=None, config_name=None)
def main(cfg: DictConfig) -> None:
    from mlflow import MlflowClient
    from mlflow.entities import Metric, Param

    folder = Path(os.environ["EMPTY_APP_FOLDER"])
    client = MlflowClient(f"sqlite:///{folder}/mlflow.db")
    run = client.create_run("0", run_name="empty")
    now = int(time.time() * 1000)
    client.log_batch(run.info.run_id, params=[Param(f"p{n}", str(n)) for n in range(50)])
    client.log_batch(
        run.info.run_id,
        metrics=[Metric(f"m{n}", n / 50, now, 0) for n in range(20)]
        + [Metric("ndcg", n / 50, now, n) for n in range(1, 51)],
    )
    client.log_artifacts(run.info.run_id, str(folder / "artifact"))
    client.set_terminated(run.info.run_id, status="FINISHED")


if __name__ == "__main__":
    main()
