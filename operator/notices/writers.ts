import type { Outbox } from '#notices/outbox.ts'
import { pageOf } from '#notices/render/page.ts'
import { noticeWriter, type NoticeWriter, type Writer } from '#notices/tell.ts'
import type { Putter, Step } from './putter.ts'

/** Writes the notices that start at one announcement, and knows the name of the page with their full text. */
interface PagedWriter {
  write: Writer
  /** Stores the page first: a notice must not name a page that does not exist. */
  page: () => Promise<string | undefined>
}

/** Writers of notices by the announcement at which the notices start. */
export class Writers {
  readonly #outbox: Outbox
  readonly #step: Step
  readonly #services: Pick<Putter, 'telling' | 'log' | 'keepPage'>
  readonly #known = new Map<number, Promise<PagedWriter>>()

  constructor(outbox: Outbox, step: Step, services: Pick<Putter, 'telling' | 'log' | 'keepPage'>) {
    this.#outbox = outbox
    this.#step = step
    this.#services = services
  }

  from(number: number): Promise<PagedWriter> {
    const known = this.#known.get(number) ?? this.#make(number)
    this.#known.set(number, known)
    return known
  }

  async #make(number: number): Promise<PagedWriter> {
    const { announced, published } = this.#step
    const { telling, log } = this.#services
    const kept = number === announced.number ? announced : await this.#outbox.announced(number)
    if (!kept)
      log.warn(
        { number },
        'the rate sets of an earlier announcement are no longer stored: notices start at the last announcement',
      )
    const { write, all } = noticeWriter(kept ?? announced, published, telling)
    let page: Promise<string | undefined> | undefined
    return { write, page: () => (page ??= this.#keep(all)) }
  }

  async #keep(all: NoticeWriter['all']): Promise<string | undefined> {
    const { telling, keepPage } = this.#services
    const { number, release } = this.#step.published
    return keepPage?.(pageOf({ ...all, number, release, issuedAt: telling.issuedAt }))
  }
}
