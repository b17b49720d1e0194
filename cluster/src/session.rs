//! What all processes of a cluster have in common: the functions, and where tables may lie.

use datafusion::{
    common::Result,
    execution::SessionState,
    prelude::{SessionConfig, SessionContext},
};

use ballista::prelude::SessionContextExt;
use ballista_core::object_store::{session_config_with_s3_support, session_state_with_s3_support};

use crate::functions::register;

/// The settings that a session begins with.
pub fn config() -> SessionConfig {
    session_config_with_s3_support()
}

/// A session with the functions, whose tables lie in files here or in stores as S3 is.
pub fn state(config: SessionConfig) -> Result<SessionState> {
    let mut state = session_state_with_s3_support(config)?;
    register(&mut state)?;
    Ok(state)
}

/// A session whose queries a cluster answers.
pub async fn on_cluster(scheduler: &str) -> Result<SessionContext> {
    let context = SessionContext::remote_with_state(scheduler, state(config())?).await?;
    // What makes it one of a cluster has put functions of its own in the place of those that it had.
    register(&mut *context.state_ref().write())?;
    Ok(context)
}

/// A session whose queries this process answers.
pub fn in_process() -> Result<SessionContext> {
    Ok(SessionContext::new_with_state(state(config())?))
}
