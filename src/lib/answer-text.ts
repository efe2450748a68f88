// Cleans text that a model wrote and that a person sends with one click: each character must be what it looks
// like.

import { withPlainForms } from './plain-forms.ts'
import { visibleLine } from './visible.ts'
import { withAsciiAddresses } from './written-address.ts'

/**
 * Returns one line without invisible characters. Look-alike forms are replaced with plain characters, and
 * addresses are shown as they are sent, so that a model cannot hide anything in its choice of characters.
 */
export function answerText(text: string): string {
  return withAsciiAddresses(withPlainForms(visibleLine(text)))
}
