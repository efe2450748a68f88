// Compares two sequences with Myers's algorithm from both ends. Follows gnulib's `diffseq` in the order of steps and
// its limit, so that it finds the same among equally short results.

export interface Compared {
  readonly left: Int32Array
  readonly right: Int32Array
  /** Called for an element that the other sequence lacks. */
  readonly removed: (index: number) => void
  readonly added: (index: number) => void
}

interface Partition {
  readonly x: number
  readonly y: number
  readonly leftMinimal: boolean
  readonly rightMinimal: boolean
}

/** Up to this many steps from both ends, the shortest result is always found. */
const ENOUGH = 4_096
const FAR = 0x7fff_ffff

export async function compareSequences(compared: Compared, minimal: boolean): Promise<void> {
  const { left, right } = compared
  const diagonals = left.length + right.length + 3
  let tooExpensive = 1
  for (let rest = diagonals; rest !== 0; rest >>= 2) tooExpensive <<= 1
  const search = new Search(compared, Math.max(ENOUGH, tooExpensive))
  const ranges: (readonly [number, number, number, number, boolean])[] = [
    [0, left.length, 0, right.length, minimal],
  ]
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    let [fromX, toX, fromY, toY] = range
    while (fromX < toX && fromY < toY && left[fromX] === right[fromY]) {
      fromX++
      fromY++
    }
    while (fromX < toX && fromY < toY && left[toX - 1] === right[toY - 1]) {
      toX--
      toY--
    }
    if (fromX === toX) for (; fromY < toY; fromY++) compared.added(fromY)
    else if (fromY === toY) for (; fromX < toX; fromX++) compared.removed(fromX)
    else {
      const { x, y, leftMinimal, rightMinimal } = await search.middle(fromX, toX, fromY, toY, range[4])
      ranges.push([x, toX, y, toY, rightMinimal], [fromX, x, fromY, y, leftMinimal])
    }
  }
}

class Search {
  readonly #compared: Compared
  readonly #tooExpensive: number
  /** The farthest positions by diagonal, from the start and from the end. */
  readonly #forward: Int32Array
  readonly #backward: Int32Array
  /** The array index of diagonal 0, because diagonals may be negative. */
  readonly #zero: number

  constructor(compared: Compared, tooExpensive: number) {
    const { left, right } = compared
    this.#compared = compared
    this.#tooExpensive = tooExpensive
    this.#forward = new Int32Array(left.length + right.length + 3)
    this.#backward = new Int32Array(left.length + right.length + 3)
    this.#zero = right.length + 1
  }

  /** Finds where this range can be split in two. */
  async middle(fromX: number, toX: number, fromY: number, toY: number, minimal: boolean): Promise<Partition> {
    const { left, right } = this.#compared
    const [forward, backward, zero] = [this.#forward, this.#backward, this.#zero]
    const [lowest, highest] = [fromX - toY, toX - fromY]
    const [forwardMiddle, backwardMiddle] = [fromX - fromY, toX - toY]
    let [forwardLow, forwardHigh] = [forwardMiddle, forwardMiddle]
    let [backwardLow, backwardHigh] = [backwardMiddle, backwardMiddle]
    const odd = ((forwardMiddle - backwardMiddle) & 1) !== 0
    forward[zero + forwardMiddle] = fromX
    backward[zero + backwardMiddle] = toX
    for (let cost = 1; ; cost++) {
      if (forwardLow > lowest) forward[zero + --forwardLow - 1] = -1
      else forwardLow++
      if (forwardHigh < highest) forward[zero + ++forwardHigh + 1] = -1
      else forwardHigh--
      for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
        const below = forward[zero + diagonal - 1] ?? 0
        const above = forward[zero + diagonal + 1] ?? 0
        let x = below < above ? above : below + 1
        let y = x - diagonal
        while (x < toX && y < toY && left[x] === right[y]) {
          x++
          y++
        }
        forward[zero + diagonal] = x
        if (
          odd &&
          backwardLow <= diagonal &&
          diagonal <= backwardHigh &&
          (backward[zero + diagonal] ?? 0) <= x
        )
          return { x, y, leftMinimal: true, rightMinimal: true }
      }
      if (backwardLow > lowest) backward[zero + --backwardLow - 1] = FAR
      else backwardLow++
      if (backwardHigh < highest) backward[zero + ++backwardHigh + 1] = FAR
      else backwardHigh--
      for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
        const below = backward[zero + diagonal - 1] ?? 0
        const above = backward[zero + diagonal + 1] ?? 0
        let x = below < above ? below : above - 1
        let y = x - diagonal
        while (fromX < x && fromY < y && left[x - 1] === right[y - 1]) {
          x--
          y--
        }
        backward[zero + diagonal] = x
        if (!odd && forwardLow <= diagonal && diagonal <= forwardHigh && x <= (forward[zero + diagonal] ?? 0))
          return { x, y, leftMinimal: true, rightMinimal: true }
      }
      if (!minimal && cost >= this.#tooExpensive) {
        const best = { fromX, toX, fromY, toY, forwardLow, forwardHigh, backwardLow, backwardHigh }
        return this.#best(best)
      }
    }
  }

  /** The best split so far, used if the search takes too long. */
  #best(at: {
    readonly fromX: number
    readonly toX: number
    readonly fromY: number
    readonly toY: number
    readonly forwardLow: number
    readonly forwardHigh: number
    readonly backwardLow: number
    readonly backwardHigh: number
  }): Partition {
    let [forwardBest, forwardX] = [-1, 0]
    for (let diagonal = at.forwardHigh; diagonal >= at.forwardLow; diagonal -= 2) {
      let x = Math.min(this.#forward[this.#zero + diagonal] ?? 0, at.toX)
      let y = x - diagonal
      if (at.toY < y) [x, y] = [at.toY + diagonal, at.toY]
      if (forwardBest < x + y) [forwardBest, forwardX] = [x + y, x]
    }
    let [backwardBest, backwardX] = [FAR, 0]
    for (let diagonal = at.backwardHigh; diagonal >= at.backwardLow; diagonal -= 2) {
      let x = Math.max(at.fromX, this.#backward[this.#zero + diagonal] ?? 0)
      let y = x - diagonal
      if (y < at.fromY) [x, y] = [at.fromY + diagonal, at.fromY]
      if (x + y < backwardBest) [backwardBest, backwardX] = [x + y, x]
    }
    return at.toX + at.toY - backwardBest < forwardBest - (at.fromX + at.fromY)
      ? { x: forwardX, y: forwardBest - forwardX, leftMinimal: true, rightMinimal: false }
      : { x: backwardX, y: backwardBest - backwardX, leftMinimal: false, rightMinimal: true }
  }
}
