import type { FollowedReleases, FollowOptions } from './follower.ts'
import { openBundle } from './open-bundle.ts'

/**
 * Follows `url`, `/v1/releases/current` of a pricing API or the address of a file: requests it with If-None-Match, opens a
 * new bundle and switches to its release. After a failure the last good release stays in use, and the next check tries again.
 *
 * ```js
 * const followed = await followReleases('https://pricing.example/v1/releases/current', {
 *   keys,
 *   headers: () => ({ Authorization: `Bearer ${token}` }),
 * })
 * followed.current?.quote(request)
 * ```
 *
 * Resolves after the first check, whether or not it found a release; rejects only when the code of the follower cannot be
 * loaded.
 */
export async function followReleases(url: string, options: FollowOptions): Promise<FollowedReleases> {
  // Loaded on demand, because a page that quotes from one bundle does not need it.
  const { startFollower } = await import('./follower.ts')
  return startFollower(url, options, openBundle)
}
