// Limits the steps of the libraries, which cannot yield and which a hostile page could make run forever.

import { HTML_STEPS_PER_CLOCK_READ } from './limits.ts'
import { OutOfTime } from '../common/pace.ts'
import * as libraries from './libraries.ts'

interface Controls {
  arm(first: number, slow: () => number, rest: () => Promise<void>): void
}

// The cast is safe: scripts/assets/html.ts adds this export to those of the libraries.
const { stepControls } = libraries as unknown as { readonly stepControls: Controls }

const UNLIMITED_STEPS = 1_000_000_000
const NO_YIELD = async (): Promise<void> => {}
/** Number of characters that can be joined and matched by one or two patterns in the time of one step. */
const CHARS_PER_STEP = 10

let stepsLeft = UNLIMITED_STEPS

/**
 * Runs synchronous work and returns its result. Throws OutOfTime after this number of steps, or after the
 * deadline.
 */
export function withinSteps<T>(steps: number, deadline: number, work: () => T): T {
  stepsLeft = steps
  stepControls.arm(
    HTML_STEPS_PER_CLOCK_READ,
    () => {
      stepsLeft -= HTML_STEPS_PER_CLOCK_READ
      if (stepsLeft <= 0 || performance.now() > deadline) throw new OutOfTime()
      return HTML_STEPS_PER_CLOCK_READ
    },
    NO_YIELD,
  )
  try {
    return work()
  } finally {
    stepsLeft = UNLIMITED_STEPS
    stepControls.arm(UNLIMITED_STEPS, () => UNLIMITED_STEPS, NO_YIELD)
  }
}

/**
 * Makes each read of `textContent` count as steps by its length, because the libraries read it repeatedly for each ancestor of a text.
 * `element` may be any element of the library.
 */
export function countTexts(element: object): void {
  let owner: object | null = element
  while (owner !== null && !Object.hasOwn(owner, 'textContent'))
    owner = Object.getPrototypeOf(owner) as object | null // a prototype is an object or null
  const descriptor = owner && Object.getOwnPropertyDescriptor(owner, 'textContent')
  if (!owner || !descriptor?.get) throw new Error('linkedom has no textContent where it is expected')
  Object.defineProperty(owner, 'textContent', {
    ...descriptor,
    get(this: object) {
      const text: unknown = descriptor.get?.call(this)
      if (typeof text === 'string') stepsLeft -= text.length / CHARS_PER_STEP
      if (stepsLeft <= 0) throw new OutOfTime()
      return text
    },
  })
}
