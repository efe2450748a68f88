// A formula. Until it is laid out, and if that fails, its TeX is shown as it was written.

import { h, type ComponentChild } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import { FORMULAS_KEPT_MAX } from './limits.ts'
import type { MathElement, Tex } from './tex.ts'
import { layOutMath } from './workers.ts'

export interface FormulaProps extends Tex {
  /** The formula with its delimiters. */
  readonly source: string
}

/** Cache of laid-out formulas, so that rendering one again does not flicker. */
const kept = new Map<string, MathElement>()

export function Formula({ tex, isDisplayed, source }: FormulaProps) {
  const key = `${isDisplayed ? 'displayed' : 'inline'} ${tex}`
  const [, redraw] = useState(0)
  useEffect(() => {
    if (tex === '' || kept.has(key)) return
    let isCancelled = false
    void layOutMath({ tex, isDisplayed }).then((element) => {
      if (element === null) return
      if (kept.size >= FORMULAS_KEPT_MAX) kept.clear()
      kept.set(key, element)
      if (!isCancelled) redraw((times) => times + 1)
    })
    return () => {
      isCancelled = true
    }
  }, [key])
  const element = kept.get(key)
  return (
    <span class={isDisplayed ? 'formula displayed' : 'formula'} dir="ltr">
      {element ? draw(element) : source}
    </span>
  )
}

function draw({ tag, attributes, style, children }: MathElement): ComponentChild {
  return h(
    tag,
    { ...attributes, style },
    children.map((child) => (typeof child === 'string' ? child : draw(child))),
  )
}
