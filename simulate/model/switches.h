// The network: ports, daqrings and switches, which hand frames to each other by events of ns-3. Hosts are in hosts.h.
#pragma once

#include "ns3/core-module.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace daqfabric
{

inline int64_t
Now()
{
    return ns3::Simulator::Now().GetNanoSeconds();
}

/// An IP packet on its way to an endpoint.
struct Frame
{
    ns3::Ptr<ns3::Packet> packet; // none of hosts without losses
    uint32_t to;                  // index of the endpoint
    uint32_t bytes;               // with its headers
    uint32_t from;                // index of the endpoint

    /// With Ethernet's header, checksum, preamble and gap, and padding to the shortest frame.
    uint32_t WireBytes() const
    {
        return std::max(bytes, 46U) + 38;
    }
};

inline std::mt19937_64 random_;

inline int64_t
AtRandom(int64_t most)
{
    return most > 0 ? static_cast<int64_t>(random_() % static_cast<uint64_t>(most)) : 0;
}

inline int64_t countFrom = 0; // ns; what happened before is not counted
inline uint64_t droppedEver = 0; // packets, those before countFrom too
inline uint64_t forwarded = 0;   // packets over links

class Switch;

/// What the ports of a host share: it takes frames in the order in which they come, and nothing during a pause.
class Bus
{
  public:
    Bus(double gbps, int64_t pause, int64_t every)
        : m_bytesPerNs(gbps / 8),
          m_pause(pause),
          m_every(every)
    {
    }

    /// When it has taken one more frame, in ns.
    double Take(uint32_t bytes)
    {
        const int64_t now = Now();
        if (m_every > 0 && m_next == 0)
        {
            m_next = 1 + AtRandom(m_every);
        }
        for (; m_every > 0 && m_next <= now; m_next += m_every / 2 + AtRandom(m_every))
        {
            m_free = std::max(m_free, static_cast<double>(m_next)) + m_pause;
        }
        return m_free = std::max(m_free, static_cast<double>(now)) + bytes / m_bytesPerNs;
    }

  private:
    const double m_bytesPerNs;
    const int64_t m_pause; // ns
    const int64_t m_every; // ns from one pause to the next, on average; 0: no pauses
    double m_free = 0;     // when it has taken all frames so far
    int64_t m_next = 0;    // when the next pause begins
};

/// A port to a link: a queue that drops what does not fit, and the time that a frame takes on the link.
class Port
{
  public:
    Port(std::string name, std::string kind, Switch* peer, double gbps, int64_t delay, uint32_t buffer)
        : name(std::move(name)),
          kind(std::move(kind)),
          m_peer(peer),
          m_bytesPerNs(gbps / 8),
          m_delay(delay),
          m_buffer(buffer)
    {
    }

    void Send(const Frame& frame);

    void Share(std::shared_ptr<Bus> bus)
    {
        m_bus = std::move(bus);
    }

    const std::string name;
    const std::string kind; // the roles of both ends
    uint64_t dropped = 0;
    uint64_t bytes = 0; // on the wire
    size_t most = 0;    // packets that waited at once

  private:
    Switch* m_peer;
    double m_bytesPerNs;
    int64_t m_delay;  // ns, of the link and the switch at its end
    size_t m_buffer;  // packets, with the one being sent; 0: what comes from a host waits in the host
    double m_free = 0; // when the link has sent all that waits
    std::shared_ptr<Bus> m_bus;
    std::deque<int64_t> m_departures;
};

/// The queue of one DCM in a switch, as ovs/lib/netdev-daqring.c keeps it, polled exactly when its next burst is due.
class Daqring
{
  public:
    Daqring(uint32_t size, uint32_t burst, int64_t interval, int64_t credit, Port* onward)
        : m_size(size),
          m_burst(burst),
          m_interval(interval),
          m_credit(credit),
          m_onward(onward)
    {
    }

    void Put(const Frame& frame)
    {
        if (m_frames.size() >= m_size)
        {
            droppedEver++;
            dropped += Now() >= countFrom;
            return;
        }
        if (m_frames.empty() && m_due < Now()) // daqring_start: idle time gives no credit
        {
            m_due = Now();
            m_allowance = 0;
        }
        m_frames.push_back(frame);
        most = std::max(most, m_frames.size());
        if (!m_waiting)
        {
            Poll();
        }
    }

    uint64_t dropped = 0;
    size_t most = 0;

  private:
    uint64_t Allowance() // daqring_allowance
    {
        if (m_interval == 0)
        {
            return m_frames.size(); // polls without end take all before the next frame comes
        }
        if (m_due <= Now())
        {
            m_due = std::max(m_due, Now() - m_credit);
            int64_t bursts = (Now() - m_due) / m_interval + 1;
            m_due += bursts * m_interval;
            m_allowance =
                std::min((m_drained ? 0 : m_allowance) + bursts * m_burst, (m_credit / m_interval + 1) * m_burst);
            m_drained = false;
        }
        return m_allowance;
    }

    void Poll()
    {
        m_waiting = false;
        uint64_t n = std::min<uint64_t>(m_frames.size(), Allowance());
        for (uint64_t i = 0; i < n; i++)
        {
            m_onward->Send(m_frames.front());
            m_frames.pop_front();
        }
        if (m_interval == 0)
        {
            return;
        }
        m_allowance -= n;
        m_drained = m_drained || m_frames.empty();
        if (!m_frames.empty())
        {
            m_waiting = true;
            ns3::Simulator::Schedule(ns3::NanoSeconds(m_due - Now()), &Daqring::Poll, this);
        }
    }

    size_t m_size;
    int64_t m_burst;
    int64_t m_interval; // ns; 0: no limit
    int64_t m_credit;   // ns
    Port* m_onward;
    std::deque<Frame> m_frames;
    int64_t m_due = 0;
    int64_t m_allowance = 0;
    bool m_drained = false;
    bool m_waiting = false;
};

/// Forwards by the address of the receiver.
class Switch
{
  public:
    using Deliver = std::function<void(const Frame&)>;

    void SetNext(uint32_t to, Port* port, Daqring* ring)
    {
        At(to) = {port, ring, nullptr};
    }

    void SetHost(uint32_t to, const Deliver* deliver)
    {
        At(to) = {nullptr, nullptr, deliver};
    }

    void Receive(const Frame& frame)
    {
        const Next& next = frame.to < m_next.size() ? m_next[frame.to] : m_nothing;
        if (next.deliver)
        {
            (*next.deliver)(frame);
        }
        else if (next.ring)
        {
            next.ring->Put(frame);
        }
        else if (next.port)
        {
            next.port->Send(frame);
        }
        else
        {
            lost++;
        }
    }

    uint64_t lost = 0; // frames without a way

  private:
    struct Next
    {
        Port* port = nullptr;
        Daqring* ring = nullptr;
        const Deliver* deliver = nullptr;
    };

    Next& At(uint32_t to)
    {
        if (to >= m_next.size())
        {
            m_next.resize(to + 1);
        }
        return m_next[to];
    }

    std::vector<Next> m_next; // by endpoint
    const Next m_nothing;
};

inline void
Port::Send(const Frame& frame)
{
    const int64_t now = Now();
    while (!m_departures.empty() && m_departures.front() <= now)
    {
        m_departures.pop_front();
    }
    if (m_buffer && m_departures.size() >= m_buffer)
    {
        droppedEver++;
        dropped += now >= countFrom;
        return;
    }
    m_free = std::max(m_free, static_cast<double>(now)) + frame.WireBytes() / m_bytesPerNs;
    if (m_bus)
    {
        m_free = std::max(m_free, m_bus->Take(frame.WireBytes()));
    }
    const auto departure = static_cast<int64_t>(m_free);
    m_departures.push_back(departure);
    most = std::max(most, m_departures.size());
    forwarded++;
    bytes += now >= countFrom ? frame.WireBytes() : 0;
    // the context is the node of the receiver, which ns-3 wants to be asked in its own; hosts are the only nodes
    ns3::Simulator::ScheduleWithContext(frame.to, ns3::NanoSeconds(departure - now + m_delay), &Switch::Receive, m_peer, frame);
}

} // namespace daqfabric
