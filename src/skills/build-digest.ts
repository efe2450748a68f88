// Written by scripts/build-skills.ts: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '0172cfedb7b059e766c29c010c89bd748f035ade1120aa028a3be4de9c5bcd54'
