/** Limits of request bodies. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /**
   * Time in which a body must arrive whole, in milliseconds, unless it arrives at
   * 64 KiB/s or more on average.
   */
  readonly bodyTimeoutMs: number;
}

/** The limits by default: 1 MiB, and 10 seconds. */
export const DEFAULT_BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 1024 * 1024,
  bodyTimeoutMs: 10_000,
};
