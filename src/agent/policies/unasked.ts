// Calls that a hook names: in its runs nobody is there to be asked, and these are made all the same.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { valueAt } from '../pointer.ts'
import type { CallFacts } from '../policy.ts'

/** The hook names the tool, and each field that it fixes holds just that. */
export function isNamed({ name, input, unasked }: Pick<CallFacts, 'name' | 'input' | 'unasked'>): boolean {
  return unasked.some(
    ({ tool, fields }) =>
      tool === name &&
      Object.entries(fields).every(
        ([pointer, value]) => canonicalJson(valueAt(input, pointer) ?? null) === canonicalJson(value ?? null),
      ),
  )
}
