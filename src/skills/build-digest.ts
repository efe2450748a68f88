// Written by skills:build and skills:push: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = 'd1eb27a7ac66e6990aa7f7d5ba478d344de637e82a6abac8e6a2467755a0b813'
