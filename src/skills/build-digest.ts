// Written by skills:build and skills:push: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = 'f451569050cfda7148dc7e4ae627afb350e5c3cf00647df5251c289b2971bc1b'
