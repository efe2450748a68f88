// A text that a person sends as their own words by one press: in each character it says what it seems to say.

import { withoutForms } from './plain-forms.ts'
import { visibleLine } from './visible.ts'
import { withAsciiAddresses } from './written-address.ts'

/**
 * One line without what nobody sees, with plain characters for those that are forms of them, and with addresses as they are
 * sent: whatever a model hides in the choice between two characters that look alike is gone.
 */
export function answerText(text: string): string {
  return withAsciiAddresses(withoutForms(visibleLine(text)))
}
