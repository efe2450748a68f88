// Written by skills:build and skills:push: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = '7ae935dd91dc6b887173654ded08d4d9dbcae5f93fc2e42f42c01cbccf28239a'
