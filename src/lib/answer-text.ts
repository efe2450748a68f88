// A text that a person sends as their own with one press: every character must mean what it seems to mean.

import { withoutForms } from './plain-forms.ts'
import { visibleLine } from './visible.ts'
import { withAsciiAddresses } from './written-address.ts'

/**
 * One line without invisible characters, with look-alike forms replaced by plain characters and addresses as they are sent. A
 * model can then hide nothing in the choice of characters.
 */
export function answerText(text: string): string {
  return withAsciiAddresses(withoutForms(visibleLine(text)))
}
