/**
 * The heights of rows of which few have been seen: a measured row counts with its height, any other with the mean of
 * those measured. A binary indexed tree finds a row's place, and the row at a place, in logarithmic time.
 */
export class RowHeights {
  constructor(count, estimate) {
    this.estimate = estimate;
    this.count = 0;
    this.measuredCount = 0;
    this.measuredSum = 0;
    this.reserve(1024);
    this.append(count);
  }

  reserve(capacity) {
    const heights = new Float32Array(capacity);
    if (this.heights) heights.set(this.heights.subarray(0, this.count));
    this.capacity = capacity;
    this.heights = heights;
    this.sums = new Float64Array(capacity + 1);
    this.counts = new Uint32Array(capacity + 1);
    for (let row = 0; row < this.count; row += 1) {
      if (heights[row] > 0) this.add(row, heights[row], 1);
    }
  }

  append(count) {
    let capacity = this.capacity;
    while (capacity < this.count + count) capacity *= 2;
    if (capacity > this.capacity) this.reserve(capacity);
    this.count += count;
  }

  add(row, height, count) {
    for (let index = row + 1; index <= this.capacity; index += index & -index) {
      this.sums[index] += height;
      this.counts[index] += count;
    }
  }

  /** The height of a row that was not measured. Settled early, or every measurement would move all that is below. */
  get mean() {
    return this.settled ?? (this.measuredCount > 0 ? this.measuredSum / this.measuredCount : this.estimate);
  }

  measure(row, height) {
    const known = this.heights[row];
    if (Math.abs(known - height) < 0.25 || height <= 0) return;
    this.heights[row] = height;
    this.add(row, height - known, known > 0 ? 0 : 1);
    this.measuredSum += height - known;
    if (known === 0) this.measuredCount += 1;
    if (this.measuredCount === 200) this.settled = this.measuredSum / this.measuredCount;
  }

  /** Forgets what was measured: the rows have another width now. */
  forget() {
    this.estimate = this.mean;
    this.settled = undefined;
    this.measuredCount = 0;
    this.measuredSum = 0;
    this.heights.fill(0);
    this.sums.fill(0);
    this.counts.fill(0);
  }

  /** How far a row's top is from the first one's. */
  offset(row) {
    let sum = 0;
    let count = 0;
    for (let index = Math.min(row, this.count); index > 0; index -= index & -index) {
      sum += this.sums[index];
      count += this.counts[index];
    }
    return sum + (Math.min(row, this.count) - count) * this.mean;
  }

  get total() { return this.offset(this.count); }

  /** The row at a distance from the first one's top; the first or the last for what is outside. */
  rowAt(offset) {
    const mean = this.mean;
    let row = 0;
    let rest = offset;
    for (let step = this.capacity; step > 0; step >>= 1) {
      const index = row + step;
      if (index > this.count) continue;
      const height = this.sums[index] + (step - this.counts[index]) * mean;
      if (height <= rest) {
        rest -= height;
        row = index;
      }
    }
    return Math.max(0, Math.min(row, this.count - 1));
  }
}
