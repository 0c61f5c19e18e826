import { expect, test } from 'vitest'
import { messageOf } from '../../../notices/render/message.ts'
import { aNotice } from '../opened-outbox.ts'

test('a mail has the link to the whole text, for the jurisdictions of its client, where it is known how readers reach that', () => {
  const more = [{ pricingCode: 'AU', from: '2027-07-01', count: 40 }]
  const notice = aNotice({ more, page: 'a'.repeat(40) })
  const { text, html } = messageOf(notice, { pagesUrl: 'https://pricing.example/' })
  const url = `https://pricing.example/notices/${'a'.repeat(40)}?codes=AU,XX_TEST`
  expect(text).toContain(`Not listed here: 40 more changes.\n\nThe whole text of this notice: ${url}\n`)
  expect(html).toContain(`href="${url}"`)
  expect(messageOf(notice).text).toContain('40 more changes. Answer this mail to get the whole list.\n\nQuestions?')
  const unpaged = aNotice({ more })
  expect(messageOf(unpaged, { pagesUrl: 'https://pricing.example' }).text).not.toContain('/notices/')
})
