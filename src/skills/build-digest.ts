// Written by scripts/build-skills.ts: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '169a4c1ef7c553fccf48ad0d73ac5db17f72fba2fa54560d30e3d68f17f0e0a9'
