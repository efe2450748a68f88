// Bounds what the libraries do: they cannot rest in the middle, and what a page makes them do may have no end.

import { HTML_STEPS_SLICE } from './limits.ts'
import { OutOfTime } from '../common/pace.ts'
import * as libraries from './libraries.ts'

interface Controls {
  arm(first: number, slow: () => number, rest: () => Promise<void>): void
}

// What scripts/assets/html.ts puts beside the libraries' own exports.
const { stepControls } = libraries as unknown as { readonly stepControls: Controls }

const UNCOUNTED = 1_000_000_000
const NO_REST = async (): Promise<void> => {}
/** Characters that are joined, and looked through by a pattern or two, in the time of a step. */
const CHARS_OF_A_STEP = 10

let left = UNCOUNTED

/** What `work` gives; throws OutOfTime once it took `steps`, or is past `ends` by the clock. `work` waits for nothing. */
export function withinSteps<T>(steps: number, ends: number, work: () => T): T {
  left = steps
  stepControls.arm(
    HTML_STEPS_SLICE,
    () => {
      left -= HTML_STEPS_SLICE
      if (left <= 0 || performance.now() > ends) throw new OutOfTime()
      return HTML_STEPS_SLICE
    },
    NO_REST,
  )
  try {
    return work()
  } finally {
    left = UNCOUNTED
    stepControls.arm(UNCOUNTED, () => UNCOUNTED, NO_REST)
  }
}

/**
 * Has the text of each element counted by its length, too: it is asked for again and again, of each element above a text.
 * `element`: any one of the library's.
 */
export function countTexts(element: object): void {
  let owner: object | null = element
  while (owner !== null && !Object.hasOwn(owner, 'textContent'))
    owner = Object.getPrototypeOf(owner) as object | null // so it is
  const own = owner && Object.getOwnPropertyDescriptor(owner, 'textContent')
  if (!owner || !own?.get) throw new Error('linkedom has no textContent where it is looked for')
  Object.defineProperty(owner, 'textContent', {
    ...own,
    get(this: object) {
      const text: unknown = own.get?.call(this)
      if (typeof text === 'string') left -= text.length / CHARS_OF_A_STEP
      if (left <= 0) throw new OutOfTime()
      return text
    },
  })
}
