// Written by scripts/build-skills.ts: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '4f791673084896219ad7393232091792d18579fcfc06557d9a971b55a3a92480'
