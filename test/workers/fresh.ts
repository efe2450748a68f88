// Before each file: one workerd runs them all, so what the last one stored, kept alive or changed in a module goes.

import { reset } from 'cloudflare:test'
import { vi } from 'vitest'

await reset()
vi.resetModules()
