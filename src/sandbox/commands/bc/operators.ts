// The operators of `bc` on two numbers.

import * as N from './number.ts'
import { ONE, ZERO, type Num } from './number.ts'

export function applied(operator: string, left: Num, right: Num, scale: number): Num {
  const truth = (holds: boolean): Num => (holds ? ONE : ZERO)
  switch (operator) {
    case '+':
      return N.add(left, right)
    case '-':
      return N.subtract(left, right)
    case '*':
      return N.multiply(left, right, scale)
    case '/':
      return N.divide(left, right, scale)
    case '%':
      return N.remainder(left, right, scale)
    case '^':
      return N.power(left, right, scale)
    case '&&':
      return truth(left.digits !== 0n && right.digits !== 0n)
    case '||':
      return truth(left.digits !== 0n || right.digits !== 0n)
    default: {
      const order = N.compare(left, right)
      const holds = {
        '==': order === 0,
        '!=': order !== 0,
        '<': order < 0,
        '<=': order <= 0,
        '>': order > 0,
        '>=': order >= 0,
      }
      return truth(holds[operator as keyof typeof holds])
    }
  }
}
