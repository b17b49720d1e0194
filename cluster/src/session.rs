//! What all processes of a cluster share: the functions and the supported storage.

use std::time::Duration;

use datafusion::{
    common::Result,
    execution::SessionState,
    prelude::{SessionConfig, SessionContext},
};

use ballista::prelude::SessionContextExt;
use ballista_core::{
    extension::SessionConfigExt,
    object_store::{session_config_with_s3_support, session_state_with_s3_support},
};

use crate::functions::register;

/// The initial settings of a session. Adaptive planning is off: adaptive plans hang if an executor is lost during their
/// last stage.
pub fn config() -> SessionConfig {
    session_config_with_s3_support().with_ballista_adaptive_query_planner(false)
}

/// A session with the functions. Tables may be local files or in object stores such as S3.
pub fn state(config: SessionConfig) -> Result<SessionState> {
    let mut state = session_state_with_s3_support(config)?;
    register(&mut state)?;
    Ok(state)
}

/// Timeout for asking a scheduler whether it is ready.
const PATIENCE: Duration = Duration::from_secs(10);

/// A session that runs queries on the cluster of the scheduler at this host and port.
pub async fn on_cluster(scheduler: &str) -> anyhow::Result<SessionContext> {
    // Without an executor a query would wait silently.
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build()?;
    let ready = client.get(format!("http://{scheduler}/readyz")).send().await?.text().await?;
    if ready.contains("ready: 0") {
        anyhow::bail!(
            "no executor has connected to it yet; start one with plybook-cluster executor --scheduler {scheduler}"
        );
    }
    let context = SessionContext::remote_with_state(&format!("df://{scheduler}"), state(config())?).await?;
    // Creating the remote session replaces the registered functions.
    register(&mut *context.state_ref().write())?;
    Ok(context)
}

/// A session that runs queries in this process.
pub fn in_process() -> Result<SessionContext> {
    Ok(SessionContext::new_with_state(state(config())?))
}
