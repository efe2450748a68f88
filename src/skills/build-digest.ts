// Written by scripts/build-skills.ts: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = 'fbf375831bcc205ab289623722bb7355bc045c49b716b067981cf0b8c92938cf'
