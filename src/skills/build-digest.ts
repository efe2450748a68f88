// Written by skills:build and skills:push: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '927ac6df1538f2c41bbcff84894f3f076da1c74a00323055c121219d2eaaa435'
