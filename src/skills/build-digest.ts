// Written by scripts/build-skills.ts: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '1d9194a42b34469e61613df6105f66bbfe515e1edf5e1fc8998127e0cc8f4c2b'
