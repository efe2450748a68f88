// Written by skills:build and skills:push: the build of skills that this Worker is deployed with.

export const BUILD_DIGEST = 'b4d697f44db852433eedf143f8944b0ac77b2ba05873203dcd318d56ecbaee5b'
