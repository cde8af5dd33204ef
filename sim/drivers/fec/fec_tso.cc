// TCP segmentation in the driver: per segment a header in uncached memory and its payload in place.
//
// Descriptors are filled in ring order and each gets R at once, without a barrier, as in
// Linux 6.12: a running engine can take a header before its payload is there.
#include "models/net/frame.h"
#include "sim/drivers/fec/fec_driver.h"

namespace doorbell::drivers::fec {

namespace {

constexpr size_t kIpv4IdOffset = 4;
constexpr size_t kIpv6LengthOffset = 4;
constexpr size_t kTcpSequenceOffset = 4;
constexpr size_t kTcpDataOffset = 12;
constexpr size_t kTcpFlagsOffset = 13;
constexpr uint8_t kTcpFinRstPsh = 0x01 | 0x04 | 0x08;

// Walks the payload of an sk_buff: rest of the head, then the fragments.
class PayloadCursor {
 public:
  PayloadCursor(const stack::SkBuff& skb, uint32_t header_bytes)
      : skb_(skb), data_(skb.data + header_bytes), left_(skb.head_len() - header_bytes) {
    skip_empty();
  }
  const uint8_t* data() const { return data_; }
  uint32_t contiguous() const { return left_; }
  void advance(uint32_t bytes) {
    data_ += bytes;
    left_ -= bytes;
    skip_empty();
  }

 private:
  void skip_empty() {
    while (left_ == 0 && frag_ < skb_.frag_count) {
      data_ = skb_.frags[frag_].data;
      left_ = skb_.frags[frag_].size;
      ++frag_;
    }
  }
  const stack::SkBuff& skb_;
  const uint8_t* data_;
  uint32_t left_;
  unsigned frag_ = 0;
};

// Turns a copy of the packet's headers into those of one segment.
void make_header(const stack::SkBuff& skb, uint8_t* header, uint32_t header_bytes, uint32_t segment,
                 uint32_t payload_before, uint32_t payload, bool final) {
  uint8_t* ip = header + skb.network_offset;
  const uint32_t ip_bytes = header_bytes - skb.network_offset + payload;
  if (skb.gso == stack::Gso::kTcpV4) {
    base::store_be16(ip + net::kIpv4LengthOffset, static_cast<uint16_t>(ip_bytes));
    const uint32_t id = base::load_be16(ip + kIpv4IdOffset) + segment;
    base::store_be16(ip + kIpv4IdOffset, static_cast<uint16_t>(id));
  } else {
    base::store_be16(ip + kIpv6LengthOffset,
                     static_cast<uint16_t>(ip_bytes - net::kIpv6HeaderBytes));
  }
  uint8_t* tcp = header + skb.transport_offset;
  base::store_be32(tcp + kTcpSequenceOffset,
                   base::load_be32(tcp + kTcpSequenceOffset) + payload_before);
  if (!final) tcp[kTcpFlagsOffset] &= static_cast<uint8_t>(~kTcpFinRstPsh);
}

}  // namespace

void FecDriver::submit_tso(stack::SkBuff& skb, unsigned queue) {
  TxRing& ring = tx_[queue];
  if (2u * skb.gso_segs + skb.frag_count >= ring.free_descriptors()) {
    drop_skb(skb, stack::DropReason::kSkbTxRingFull);
    return;
  }
  clear_checksums(skb);
  const uint8_t* tcp = skb.data + skb.transport_offset;
  hal_.dma.touch(skb.data, skb.transport_offset + net::kTcpHeaderBytes, hal::Touch::kRead);
  const uint32_t header_bytes = skb.transport_offset + (tcp[kTcpDataOffset] >> 4) * 4u;
  assert(header_bytes <= hw::kTsoHeaderBytes && header_bytes <= skb.head_len());
  hal_.dma.touch(skb.data, header_bytes, hal::Touch::kRead);

  PayloadCursor payload(skb, header_bytes);
  const uint32_t total = skb.length() - header_bytes;
  uint32_t index = ring.bd.cur;
  uint32_t last = index;
  uint32_t segment = 0;
  for (uint32_t done = 0; done < total; ++segment) {
    uint32_t left = total - done < skb.gso_size ? total - done : skb.gso_size;
    const bool final = done + left == total;
    uint8_t header[hw::kTsoHeaderBytes];
    std::memcpy(header, skb.data, header_bytes);
    make_header(skb, header, header_bytes, segment, done, left, final);
    tso_header(skb, queue, index, {header, header_bytes});
    done += left;
    while (left > 0) {
      const uint32_t bytes = left < payload.contiguous() ? left : payload.contiguous();
      index = ring.bd.next(index);
      left -= bytes;
      if (!tso_payload(skb, queue, index, {payload.data(), bytes}, left == 0, left == 0 && final)) {
        unwind(queue, ring.bd.cur, index);
        drop_skb(skb, stack::DropReason::kSkbTxMapFailed);
        return;
      }
      payload.advance(bytes);
    }
    last = index;
    index = ring.bd.next(index);
  }
  ring.slots[last].skb = &skb;
  ring.bd.cur = index;
  submit_doorbell(queue);
}

void FecDriver::tso_header(const stack::SkBuff& skb, unsigned queue, uint32_t index,
                           base::ByteView header) {
  TxRing& ring = tx_[queue];
  hal_.cpu.charge(hal::Op::kDriverTx);
  const hal::DmaAddr bd = ring.bd.at(index);
  const uint16_t status = tx_base_status(bd) | hw::tx_sc::kTc | hw::tx_sc::kReady;
  const hal::DmaAddr address = ring.tso_headers + uint64_t{index} * hw::kTsoHeaderBytes;
  hal_.coherent.write_bytes(address, header);
  hal_.coherent.write32(bd + hw::kOffAddress, static_cast<uint32_t>(address));
  hal_.coherent.write16(bd + hw::kOffLength, static_cast<uint16_t>(header.size));
  if (enhanced()) {
    hal_.coherent.write32(bd + hw::kOffBdu, 0);
    hal_.coherent.write32(bd + hw::kOffControl, tx_esc(skb, queue));
  }
  hal_.coherent.write16(bd + hw::kOffStatus, status);
}

bool FecDriver::tso_payload(const stack::SkBuff& skb, unsigned queue, uint32_t index,
                            base::ByteView bytes, bool ends_segment, bool ends_packet) {
  TxRing& ring = tx_[queue];
  hal_.cpu.charge(hal::Op::kDriverTx);
  const hal::DmaAddr bd = ring.bd.at(index);
  uint16_t status = tx_base_status(bd) | hw::tx_sc::kTc | hw::tx_sc::kReady;
  bool ok = false;
  const hal::DmaAddr address = map(bytes.data, static_cast<uint32_t>(bytes.size), ok);
  if (!ok) return false;
  uint32_t esc = tx_esc(skb, queue);
  if (ends_segment) {
    status |= hw::tx_sc::kLast;
    ++stats_.tx_submitted;
  }
  if (ends_packet) {
    status |= hw::tx_sc::kIntr;
    esc |= hw::tx_esc::kInt;
  }
  ring.slots[index].ends_frame = ends_segment;
  hal_.coherent.write32(bd + hw::kOffAddress, static_cast<uint32_t>(address));
  hal_.coherent.write16(bd + hw::kOffLength, static_cast<uint16_t>(bytes.size));
  if (enhanced()) {
    hal_.coherent.write32(bd + hw::kOffBdu, 0);
    hal_.coherent.write32(bd + hw::kOffControl, esc);
  }
  hal_.coherent.write16(bd + hw::kOffStatus, status);
  return true;
}

}  // namespace doorbell::drivers::fec
