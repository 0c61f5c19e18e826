import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'
import { ALONE, EVASIONS, INNOCENT } from './corpus.ts'

const { check } = createContentModerator()
const isRefusedAlone = (description: string) => check({ vehicle: { source_id: 'a', description } }).length > 0
const isRefused = (text: string) => isRefusedAlone(`See ${text} today`)

/** Prints how many of each kind were judged wrongly, and gives them. */
function judgedWrongly(corpus: Record<string, readonly string[]>, isWrong: (text: string) => boolean): string[] {
  return Object.entries(corpus).flatMap(([kind, texts]) => {
    const wrong = texts.filter(isWrong)
    const rate = ((100 * wrong.length) / texts.length).toFixed(1)
    process.stdout.write(
      `moderation of texts, ${kind}: ${wrong.length} of ${texts.length} judged wrongly (${rate} %)\n`,
    )
    return wrong
  })
}

// What is known to be judged wrongly is listed, so that a text that is judged otherwise than before is seen.
test('of innocent texts, only these are refused', () => {
  const words = ['Enrique “Kike” Lopez', 'Ms Titt', 'Wanker’s Corner', 'Fucking, Austria']
  expect(judgedWrongly(INNOCENT, isRefused)).toEqual(words)
})

test('of evasions, only these pass', () => {
  const words = ['white power', 'shi t', 'sh it', 's hit', 'cu nt', 'ratfaceshit', 'jackass', 'cockhead', 'bit ch']
  expect(judgedWrongly(EVASIONS, (text) => !isRefused(text))).toEqual([
    ...words,
    ...['@northside', 'Order no 0412 345 678', 'Invoice 0412345678 for Joe'],
    ...[
      'zero 4 one 2 three 4 five 6 seven 8',
      'oh four one two triple three four five six',
      '1300 joe bob',
      'o412.three45.678',
    ],
    ...['9876 5432', '412 345 678', '13 11 26', 'oh four twelve, three four five, six seven eight'],
    ...['joes.live', 'joe at outlook', 'messenger: joes', 'youtube: joes', 'vx: joes'],
  ])
})

test('of texts that stand alone, all evasions and no others are refused', () => {
  expect(judgedWrongly({ 'evasions alone': ALONE.evasions }, (text) => !isRefusedAlone(text))).toEqual([])
  expect(judgedWrongly({ 'innocent alone': ALONE.innocent }, isRefusedAlone)).toEqual([])
})
