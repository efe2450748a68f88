// Writes src/lib/confusables.ts from Unicode's table, as a package of the tests carries it.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { confusablesFile, type Prototypes } from './confusables/make.ts'

const table = createRequire(import.meta.url).resolve('unhomoglyph/data.json')
// The package's data: a character, and what it looks like.
const prototypes = JSON.parse(readFileSync(table, 'utf8')) as Prototypes
writeFileSync(new URL('../src/lib/confusables.ts', import.meta.url), confusablesFile(prototypes))
