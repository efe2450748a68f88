// Globals that packages read while they load. Imported second.

import { textGlobals } from './base/text.ts'
import { webGlobals } from './web.ts'

Object.assign(globalThis, textGlobals, webGlobals, { self: globalThis })
