// Written by skills:build and skills:push: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '3fbd744605f3aa44938c18d1f49025b47a543c7e910cd2847762d045af33d6b3'
