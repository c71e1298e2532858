"""Which rules hold which family of recorded cases against `optim_ref`."""

import peer_rules_adamw as adamw
import peer_rules_clipping as clipping
import peer_rules_schedule as schedule

FAMILIES = {
    "adamw_torch": adamw.adamw_torch,
    "adam_l2_torch": adamw.adam_l2_torch,
    "adamw_optax": adamw.adamw_optax,
    "adamw_keras": adamw.adamw_keras,
    "clip_grad_norm_torch": clipping.clip_grad_norm_torch,
    "clip_grad_value_torch": clipping.clip_grad_value_torch,
    "clip_global_norm_optax": clipping.clip_global_norm_optax,
    "clip_elementwise_blockrms_optax": clipping.clip_variants,
    "clip_keras": clipping.clip_variants,
    "agc_optax": clipping.agc_optax,
    "agc_timm": clipping.agc_timm,
    "per_example_clip_optax": clipping.per_example_clip_optax,
    "per_example_clip_opacus": clipping.per_example_clip_opacus,
    "per_example_linear_jax": clipping.per_example_linear_jax,
    "schedule_torch": schedule.schedule_torch,
    "schedule_optax": schedule.schedule_optax,
    "schedule_keras": schedule.schedule_keras,
}
