// Guards the estimate of tokens: near what published tokenizers count in each script, and equal to four characters a token in
// English, so that a window in any language is replaced before it is full.

import { describe, expect, it } from 'vitest'
import { cutMiddleToTokens, cutToTokens, estimateTokens, headOfTokens } from '../../../src/lib/tokens.ts'

/** Sentences with their tokens as counted by cl100k_base. */
const COUNTED: Readonly<Record<string, readonly [string, number]>> = {
  Russian: [
    'Квартальный отчёт показывает, что выручка росла быстрее, чем ожидалось, в основном благодаря новым клиентам.',
    50,
  ],
  Greek: ['Η τριμηνιαία έκθεση δείχνει ότι τα έσοδα αυξήθηκαν ταχύτερα από το αναμενόμενο.', 74],
  Arabic: [
    'يُظهر التقرير الفصلي أن الإيرادات نمت بوتيرة أسرع من المتوقع، ويرجع ذلك أساسًا إلى العملاء الجدد.',
    66,
  ],
  Hebrew: ['הדוח הרבעוני מראה שההכנסות צמחו מהר מהצפוי, בעיקר בזכות לקוחות חדשים באזור הצפון.', 81],
  Chinese: ['季度报告显示，收入增长快于预期，主要是因为北方地区的新客户，而成本保持不变。', 39],
  Japanese: [
    '四半期報告によると、北部地域の新規顧客のおかげで、売上高は予想よりも速く伸び、費用は横ばいでした。',
    61,
  ],
  Korean: [
    '분기 보고서에 따르면 북부 지역의 신규 고객 덕분에 매출이 예상보다 빠르게 증가했으며 비용은 그대로였습니다.',
    65,
  ],
  Thai: ['รายงานประจำไตรมาสแสดงให้เห็นว่ารายได้เติบโตเร็วกว่าที่คาดไว้ สาเหตุหลักมาจากลูกค้าใหม่ในภาคเหนือ', 93],
  Hindi: ['तिमाही रिपोर्ट से पता चलता है कि उत्तरी क्षेत्र में नए ग्राहकों के कारण राजस्व अपेक्षा से तेज़ी से बढ़ा।', 99],
  emoji: ['😀🎉🚀🔥👩‍💻👍🏽🇩🇪❤️✨📈🦄🧪', 44],
}

describe('the estimate of tokens', () => {
  for (const [script, [text, counted]] of Object.entries(COUNTED))
    it(`is near the count in ${script}`, () => {
      expect(estimateTokens(text) / counted).toBeGreaterThan(0.65)
      expect(estimateTokens(text) / counted).toBeLessThan(1.5)
    })

  it('counts four characters per token in English, and nothing in an empty text', () => {
    expect(['', 'a', 'word', 'words', 'a'.repeat(400)].map(estimateTokens)).toEqual([0, 1, 1, 2, 100])
  })
})

describe('a text cut to a number of tokens', () => {
  it('has at most that many, in any script', () => {
    for (const text of ['word '.repeat(100), '字'.repeat(100), '😀'.repeat(100), 'a字'.repeat(100)])
      for (const max of [1, 2, 7, 20]) {
        expect(estimateTokens(cutToTokens(text, max))).toBeLessThanOrEqual(max)
        expect(estimateTokens(headOfTokens(text, max))).toBeLessThanOrEqual(max)
        expect(cutToTokens(text, max).isWellFormed()).toBe(true)
      }
    expect(cutToTokens('字字字', 3)).toBe('字字字')
    expect(cutToTokens('字字字', 2)).toBe('字…')
  })

  it('keeps its beginning and its end when it is cut in the middle', () => {
    const text = `${'始'.repeat(50)}${'中'.repeat(50)}${'終'.repeat(50)}`
    expect(cutMiddleToTokens(text, 30)).toBe(
      `${'始'.repeat(20)}\n[… 120 characters are left out …]\n${'終'.repeat(10)}`,
    )
    expect(cutMiddleToTokens(text, 150)).toBe(text)
  })
})
