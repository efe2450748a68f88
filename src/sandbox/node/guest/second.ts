// The globals that packages take for themselves while they are loaded. Imported second.

import { textGlobals } from './text.ts'
import { webGlobals } from './web.ts'

Object.assign(globalThis, textGlobals, webGlobals, { self: globalThis })
